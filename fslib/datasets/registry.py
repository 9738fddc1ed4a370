"""What is known about each data set before any file is opened: ``registry.toml`` as objects."""

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

REGISTRY = Path(__file__).with_name("registry.toml")


@dataclass(frozen=True)
class Entry:
    """One table of ``registry.toml``.

    Attributes
    ----------
    name : str
        What :func:`fslib.datasets.load` is called with.
    source : str
        Who collected the data, and which version this is.
    licence : str
        As stated by the source, or that it states none.
    citation : str
        How to cite the source.
    papers : tuple of str
        Which of the four papers use it; empty for an extra.
    shape : tuple of int
        (n, d), or (n, d, c) with c labels; empty if no copy has been seen.
    bundled : str
        Content hash of the copy in ``data/``; empty if there is none.
    mirror : str
        Content hash of the copy for a local mirror; empty if there is none.
    openml : int
        OpenML's data_id, which names one version of one data set; 0 if there is none to rely on.
    public : str
        Where people find a data set that fslib does not fetch, in the form in which its source has it; empty if no
        address is known for certain.
    notes : str
        What differs from the paper, or how to obtain the data.
    titles : dict of str to str
        Paper -> what it calls the data set, where that is not ``name``.
    unavailable : str
        Why the data set is not available; empty if it is.
    """

    name: str
    source: str
    licence: str
    citation: str = ""
    papers: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    bundled: str = ""
    mirror: str = ""
    openml: int = 0
    public: str = ""
    notes: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    unavailable: str = ""


@cache
def entries():
    """All entries, dict name -> Entry, in the order of the file.

    Examples
    --------
    >>> entries()["adult"].shape
    (48842, 123)
    """
    with REGISTRY.open("rb") as file:
        tables = tomllib.load(file)
    lists = ("papers", "shape")
    return {
        name: Entry(name=name, **{key: tuple(value) if key in lists else value for key, value in table.items()})
        for name, table in tables.items()
    }


def entry(name):
    """Look up one data set.

    Raises
    ------
    ValueError
        If no data set has this name; the message names the closest ones.
    """
    known = entries()
    if name in known:
        return known[name]
    lower = {other.lower(): other for other in known}
    close = [lower[match] for match in difflib.get_close_matches(str(name).lower(), lower, n=3)]
    hint = f"Did you mean {' or '.join(close)}?" if close else "`fslib data list` shows all there are."
    raise ValueError(f"There is no data set called {name!r}. {hint}")


def name_of(title: str, paper: str) -> str:
    """Name of the data set that a paper calls ``title``; empty if the registry has none.

    Examples
    --------
    >>> name_of("KDDCup01", "bayes"), name_of("Adult", "bayes"), name_of("Iris", "bayes")
    ('thrombin', 'adult', '')
    """
    for name, record in entries().items():
        if paper in record.papers and record.titles.get(paper, name).lower() == title.lower():
            return name
    return ""
