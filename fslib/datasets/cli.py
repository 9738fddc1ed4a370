"""``fslib data list | fetch NAME | verify``."""

from fslib.datasets.files import DamagedDataError
from fslib.datasets.loader import DataNotFoundError, fetch, place_of, unrecorded, verify
from fslib.datasets.registry import entries


def add_parser(subparsers):
    """Add the command ``data`` to a command line.

    Parameters
    ----------
    subparsers : the object that ``ArgumentParser.add_subparsers`` returns
        The parsed arguments get ``function``: call it with them, and it returns an exit code.

    Examples
    --------
    >>> from argparse import ArgumentParser
    >>> parser = ArgumentParser()
    >>> add_parser(parser.add_subparsers())
    >>> arguments = parser.parse_args(["data", "fetch", "glass"])
    >>> arguments.name
    'glass'
    """
    data = subparsers.add_parser("data", help="list, fetch and check the data sets")
    commands = data.add_subparsers(required=True, metavar="list | fetch | verify")
    listing = commands.add_parser(
        "list",
        help="every data set, its size, and where it is",
        description="Column where: bundled, mirror (the folder FSLIB_DATA) or download (fetched before); OpenML if it "
        "can be fetched; public if data/README.md gives an address from which fslib does not fetch; - otherwise. "
        "Column hash: whether the hash of the content is recorded; a download is checked against the MD5 sum that "
        "OpenML states.",
    )
    listing.add_argument("--paper", help="only those of one paper: bayes, rrmvfs, mlmlfs or braytee")
    listing.set_defaults(function=_list)
    fetching = commands.add_parser("fetch", help="download a data set unless it is here already")
    fetching.add_argument("name")
    fetching.set_defaults(function=_fetch)
    checking = commands.add_parser("verify", help="read every copy on this machine and compare it with the records")
    checking.set_defaults(function=_verify)


def _list(arguments):
    print(f"{'name':24} {'rows':>6} {'columns':>7} {'labels':>6}  {'where':9} {'hash':8} {'papers':15} source")
    for name, record in entries().items():
        if arguments.paper and arguments.paper not in record.papers:
            continue
        n, d, c = (*record.shape, *[""] * 3)[:3]
        where = place_of(name) or ("OpenML" if record.openml else "public" if record.public else "-")
        known = "recorded" if where in ("bundled", "mirror") or (where in ("public", "-") and record.mirror) else "none"
        print(f"{name:24} {n:>6} {d:>7} {c:>6}  {where:9} {known:8} {','.join(record.papers):15} {record.source}")
    return 0


def _fetch(arguments):
    try:
        path = fetch(arguments.name)
        print("\n".join(filter(None, (str(path), unrecorded(arguments.name, place_of(arguments.name))))))
    except (DataNotFoundError, DamagedDataError, ValueError) as error:
        print(error)
        return 1
    return 0


def _verify(arguments):
    checked = list(verify())
    damaged = [problem for *_, problem in checked if problem]
    notes = [f"{name}: {unrecorded(name, place)}" for name, place, _ in checked if place == "download"]
    print("\n".join([*notes, *damaged, f"{len(checked)} copies read, {len(damaged)} damaged."]))
    return 1 if damaged else 0
