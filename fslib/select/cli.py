"""``fslib select TABLE --target Y``: an answer for a table of your own, on the command line."""

import os
from pathlib import Path

from fslib.interrupts import leaving_at_once, start_workers

EPILOG = """examples:
  fslib select patients.csv --target diagnosis
  fslib select patients.csv --target diagnosis --drop comment --groups patient --criterion auc
  fslib select songs.csv --target happy --target calm --out songs_features

Exit codes: 0 for an answer, also if it is that nothing tells the classes apart; 1 if files cannot be read or written;
2 for a command or table that cannot be used as it is; 130 after Ctrl-C."""


CRITERIA = "auto, zero_one, balanced, log, f_beta or auc; for numbers squared (default: auto)"


def add_parser(subparsers):
    """Add the command ``select`` to a command line.

    Parameters
    ----------
    subparsers : the object that ``ArgumentParser.add_subparsers`` returns
        The parsed arguments get ``function``: call it with them, and it returns an exit code.

    Examples
    --------
    >>> from argparse import ArgumentParser
    >>> parser = ArgumentParser()
    >>> add_parser(parser.add_subparsers())
    >>> parser.parse_args(["select", "t.csv", "--target", "a", "--target", "b"]).target
    ['a', 'b']
    """
    from argparse import RawDescriptionHelpFormatter

    parser = subparsers.add_parser(
        "select",
        help="select features in your own table",
        description="Select features of a table: how well they predict, how many are enough, how stable they are,\n"
        "and which are interchangeable. Writes report.html, selected.csv, pipeline.skops and reproduce.py.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("table", metavar="TABLE", help="file with one row per sample and names in its first line")
    several = {"action": "append", "default": [], "metavar": "NAME"}
    parser.add_argument("--target", **several, required=True, help="target column; repeat for each of several labels")
    parser.add_argument("--criterion", default="auto", metavar="NAME", help=CRITERIA)
    parser.add_argument(
        "--views", **several | {"metavar": "PREFIX"}, help="prefix of the column names of one view; repeat for each"
    )
    parser.add_argument("--groups", metavar="NAME", help="column whose equal values stay together, such as a patient")
    parser.add_argument("--time", metavar="NAME", help="column that orders the rows; scores are then of later rows")
    parser.add_argument("--drop", **several, help="column to leave out; repeat for each")
    parser.add_argument("--keep", **several, help="column to use although it looks suspect; repeat for each")
    parser.add_argument("--task", default="auto", metavar="KIND", help="classes, number or labels (default: inferred)")
    parser.add_argument("--text", **several, help="column of words, even if they look like numbers; repeat for each")
    parser.add_argument(
        "--empty", **several | {"metavar": "WORD"}, help="word or number that means empty; repeat for each"
    )
    parser.add_argument("--decimal", metavar="SIGN", help="decimal separator, point or comma (default: inferred)")
    parser.add_argument("--sheet", metavar="NAME", help="sheet of a spreadsheet (default: the first that is not empty)")
    parser.add_argument("--encoding", metavar="NAME", help="of a text file, such as cp1251 (default: detected)")
    parser.add_argument(
        "--header",
        default="auto",
        metavar="HOW",
        help="whether the first line names the columns: first or none (default: inferred)",
    )
    parser.add_argument("--missing-target", metavar="HOW", help="rows without a target: error or drop_rows")
    parser.add_argument(
        "--missing-features", default="median", metavar="HOW", help="error, drop_rows or median (default: median)"
    )
    parser.add_argument("--max-features", type=int, default=20, metavar="N", help="largest number to try (default: 20)")
    parser.add_argument("--folds", type=int, default=5, metavar="N", help="folds (default: 5)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="root of all random draws (default: 0)")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (default: one per core)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the answer (default: TABLE_features)")
    parser.set_defaults(function=run)


def run(options):
    """Read, choose, write, and print the answer; returns an exit code."""
    with leaving_at_once():
        from joblib import cpu_count  # of the cores that this process may use

        from fslib.evaluation.progress import shows_progress
        from fslib.select.answer import select_features
        from fslib.select.doors import as_options, error_as_options
        from fslib.select.files import write_answer
        from fslib.select.words import certainty_sentences, headline, table_notes, verdict_sentences
        from fslib.tables import TableError, read_table
        from fslib.tables.reading import DEFAULTS

    if options.seed < 0:
        raise ValueError(f"--seed {options.seed} must not be negative.")
    target = options.target[0] if len(options.target) == 1 else options.target
    options.empty = [_number_or_word(text) for text in options.empty]
    reading = {name: getattr(options, name) for name in DEFAULTS}
    try:
        table = read_table(options.table, target, **reading)
    except TableError as error:
        raise ValueError(error_as_options(error)) from error
    out = options.out or Path(f"{Path(options.table).stem}_features")
    check_folder(out)
    for row in [] if table.suspects is None else table.suspects.to_dict("records"):
        way = as_options(row["action"]).removeprefix("left out; ")
        what = "Left out" if row["left_out"] else "Note"
        print(f"{what}: {row['column']}: {row['kind']}. {row['seen']} ({way})")
    for note in table_notes(table):
        print(f"Note: {as_options(note)}")
    n_jobs = cpu_count() if options.jobs is None else options.jobs
    start_workers(n_jobs)
    try:
        answer = select_features(
            table,
            criterion=options.criterion,
            max_features=options.max_features,
            n_folds=options.folds,
            seed=options.seed,
            n_jobs=n_jobs,
            progress=shows_progress(),
        )
    except ValueError as error:
        raise ValueError(as_options(str(error))) from error
    for caution in answer.cautions:
        print(f"Note: {as_options(caution)}")
    paths = write_answer(answer, out, source=options.table, reading={"target": target, **reading}, words=as_options)
    print("\n" + headline(answer))
    if answer.chosen:
        print("  " + ", ".join(answer.chosen))
    print(as_options("\n".join([*verdict_sentences(answer), *certainty_sentences(answer)])))
    print(f"\nReport: {paths['report'].resolve().as_uri()}")
    return 0


def check_folder(out):
    """Refuse a folder that cannot be written into, before anything is computed for it.

    Parameters
    ----------
    out : Path
        Need not be there.

    Raises
    ------
    ValueError
        If it, or a part of its path, is a file.
    PermissionError
        If it cannot be made or written into.

    Examples
    --------
    >>> check_folder(Path(__file__) / "answers")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: --out ...answers: ...cli.py is a file, not a folder.
    """
    there = next(part for part in (out, *out.absolute().parents) if part.exists())
    if not there.is_dir():
        raise ValueError(f"--out {out}{f': {there}' if there != out else ''} is a file, not a folder.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise PermissionError(f"--out {out}: you may not write into {there}; name another folder.")


def _number_or_word(text):
    try:
        return float(text)
    except ValueError:
        return text
