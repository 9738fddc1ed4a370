"""A run against what was stored of our own numbers (guarded), and against what the papers report (published)."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from fslib.reproduction.compare import guard, join
from fslib.reproduction.compare import verdicts as claim_verdicts
from fslib.reproduction.compare.reported import reported_items
from fslib.reproduction.compare.totals import counts
from fslib.reproduction.paths import EXPECTED, NOTEBOOKS, REFERENCE, REPORTED, RunFolder, item_slug
from fslib.reproduction.run.records import intact, read_status
from fslib.tidy import KEY, read_table


@dataclass(frozen=True)
class Reference:
    """The committed run of the paper profile, which took hours; it stands beside a quick run in the report."""

    published: pd.DataFrame
    claims: pd.DataFrame


@dataclass(frozen=True)
class Comparison:
    """What came out of comparing a run.

    Parameters
    ----------
    profile : str
    notebooks : dict
        Notebook -> its entry of status.json.
    tables : dict
        Notebook -> name of a table's file -> tidy rows; only notebooks that ran to their end.
    moved : DataFrame
        Guarded numbers that are not where they were; see `fslib.reproduction.compare.guard.guard_run`.
    n_guarded : int or None
        Numbers that were guarded; None if the profile has no stored numbers at all.
    published : DataFrame
        Every published number; see `fslib.reproduction.compare.join.published_numbers`.
    claims : DataFrame
        Every claim; see `fslib.reproduction.compare.verdicts.judged_claims`.
    reference : Reference or None
        What came out of the reference run, row by row of ``published`` and ``claims``; None if it is not there.
    """

    profile: str
    notebooks: dict
    tables: dict
    moved: pd.DataFrame
    n_guarded: int | None
    published: pd.DataFrame
    claims: pd.DataFrame
    reference: "Reference | None" = None

    @property
    def ok(self):
        """No guarded number moved."""
        return self.moved.empty

    @property
    def papers(self):
        """Papers that have notebooks in the run."""
        return list(dict.fromkeys(self.claims["paper"]))

    @property
    def counts(self):
        """All counts of the report's head: notebooks, guarded, published, claims."""
        ended = [entry["status"] for entry in self.notebooks.values()]
        touched = self.moved.drop_duplicates(["table", *KEY[2:]])
        n_moved = len(touched)
        n_kept = (self.n_guarded or 0) - int((~touched["problem"].isin(["row new", "row doubled"])).sum())
        return {
            "notebooks": {status: ended.count(status) for status in ("done", "failed", "timeout", "skipped")},
            "guarded": {"kept": n_kept, "moved": n_moved},
            "published": counts(self.published),
            "claims": claim_verdicts.counts(self.claims),
        }

    @property
    def text(self):
        """Summary for the terminal."""
        lines = [f"{name:10}{_listed(kinds)}" for name, kinds in self.counts.items()]
        if self.n_guarded is None:
            lines[1] = f"{'guarded':10}nothing: the {self.profile} profile has no stored numbers"
        for row in self.moved.head(20).to_dict("records"):
            named = " ".join(str(row[key]) for key in ("dataset", "method", "setting", "metric") if pd.notna(row[key]))
            lines.append(f"  {row['table']}: {row['problem']}  {named}  {row['expected']:.6g} -> {row['here']:.6g}")
        if len(self.moved) > 20:
            lines.append(f"  and {len(self.moved) - 20} more; all are in the report")
        if not self.ok:
            lines.append(
                "If the change is meant, store the new numbers (fslib compare --write-expected), review the diff."
            )
        return "\n".join(lines)


def _listed(kinds):
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count) or "none in this run"


def compare(run_dir, profile="quick", *, expected_dir=EXPECTED, reported_dir=REPORTED, reference_dir=REFERENCE):
    """Compare a run with the stored numbers and with the papers.

    Parameters
    ----------
    run_dir : path-like
        Folder of a run, with its status.json.
    profile : str
        Whose numbers are guarded: ``expected_dir/profile``.
    expected_dir, reported_dir, reference_dir : path-like, optional

    Returns
    -------
    Comparison

    Raises
    ------
    FileNotFoundError
        If there is no run in the folder.
    ValueError
        If a file of the run is broken.
    """
    run = RunFolder(Path(run_dir))
    if not run.status.exists():
        raise FileNotFoundError(f"{run.path} holds no run (no {run.status.name}); start one with `fslib run`.")
    _, notebooks = read_status(run)
    ran = {name: entry for name, entry in notebooks.items() if entry["status"] == "done"}
    tables = {name: _tables(run, entry) for name, entry in ran.items()}
    fresh = {name: found for name, found in tables.items() if not ran[name].get("stale")}
    stored = Path(expected_dir) / profile
    # a notebook of this repository must have stored numbers, one of your own need not
    own = {name for name in fresh if (NOTEBOOKS / f"{name}.ipynb").exists() or (stored / name).is_dir()}
    moved, n_guarded = guard.guard_run({name: fresh[name] for name in own} if stored.is_dir() else {}, stored)
    papers = _papers(notebooks, reported_dir)
    rows = {name: table for found in tables.values() for name, table in found.items()}
    files = {name: _files(run, entry, "claims/") for name, entry in ran.items()}
    return Comparison(
        profile=profile,
        notebooks=notebooks,
        tables=tables,
        moved=moved,
        n_guarded=n_guarded if stored.is_dir() else None,
        published=_published(rows, papers, profile, reported_dir),
        claims=claim_verdicts.judged_claims(files, papers, reported_dir),
        reference=_reference(RunFolder(Path(reference_dir)), run, papers, reported_dir),
    )


def _published(rows, papers, profile, reported_dir):
    """Every number that the papers report; ``rows`` maps the name of a table's file to our rows."""
    published = [
        join.published_numbers(rows.get(f"{paper}_{item_slug(item)}.csv"), paper, item, profile, reported_dir)
        for paper in papers
        for item in reported_items(paper, reported_dir)
    ]
    return pd.concat(published, ignore_index=True) if published else pd.DataFrame(columns=join.COLUMNS)


def _reference(folder, run, papers, reported_dir):
    if not folder.tables.is_dir() or folder.path.resolve() == run.path.resolve():
        return None
    rows = {path.name: _read_table(path) for path in sorted(folder.tables.glob("*.csv"))}
    files = {path.stem: [path] for path in sorted(folder.claims.glob("*.csv"))}
    claims = claim_verdicts.judged_claims(files, papers, reported_dir)
    return Reference(_published(rows, papers, "paper", reported_dir), claims)


def write_expected(run_dir, profile="quick", *, expected_dir=EXPECTED):
    """Store the numbers of a run as the ones to guard from now on; the diff is then reviewed like code.

    Parameters
    ----------
    run_dir : path-like
    profile : str
    expected_dir : path-like, optional

    Returns
    -------
    pathlib.Path
        The folder that was written.

    Raises
    ------
    ValueError
        If no notebook of the run ended well, or one is older than the code.
    """
    comparison = compare(run_dir, profile, expected_dir=expected_dir)
    stale = [name for name in comparison.tables if comparison.notebooks[name].get("stale")]
    if stale or not comparison.tables:
        raise ValueError(f"Run first: {', '.join(stale) or 'no notebook'} is not a result of the present code.")
    folder = Path(expected_dir) / profile
    guard.store(comparison.tables, folder)
    return folder


def _papers(notebooks, reported_dir):
    """Papers with claims that have a notebook in the run, in the order of the claims."""
    known = pd.read_csv(Path(reported_dir) / "claims.csv", usecols=["paper"])["paper"].unique()
    return [paper for paper in known if any(name.startswith(f"{paper}/") for name in notebooks)]


def _files(run, entry, folder):
    return [run.path / name for name in entry["outputs"] if name.startswith(folder) and name.endswith(".csv")]


def _tables(run, entry):
    return {path.name: _read_table(path) for path in _files(run, entry, "tables/")}


def _read_table(path):
    with intact(path):
        return read_table(path)
