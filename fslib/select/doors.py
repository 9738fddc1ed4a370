"""What a message proposes, in the words of the door that the user came through: options of the command, or parameters.

Messages of ``fslib.tables`` and ``fslib.select`` name arguments of Python, such as ``drop=['id']``.
"""

import ast
import re
import shlex
from contextlib import contextmanager

_SAME = ("target", "views", "groups", "time", "drop", "keep", "task", "text", "empty", "decimal", "encoding")
_MORE = ("sheet", "header", "missing_target", "missing_features", "criterion", "max_features", "seed")
OPTION_OF = {name: name.replace("_", "-") for name in _SAME + _MORE} | {"n_folds": "folds", "n_jobs": "jobs"}
"""Argument of Python -> option of ``fslib select``."""

NUMBERS = ("max_features", "n_folds", "n_jobs", "seed")
_NAMES = "|".join(OPTION_OF)
_TEXT = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""
# Not after a quotation mark: 'task=labels' is the name of a feature.
_GIVEN = re.compile(rf"(?<!['\"\w])({_NAMES})=(\[(?:{_TEXT}|[^\[\]'\"])*\]|{_TEXT})")
_NUMBER = re.compile(rf"(?<!['\"\w])({'|'.join(NUMBERS)})=(-?[\w.]+)")
_ALONE = re.compile(r"(?<!['\"\w])(groups|time|views)=(?=[,. ])|(?<!['\"\w-])(max_features|missing_\w+|n_folds)\b(?!=)")
_SUBJECT = re.compile(rf"^({_NAMES})(?= must be)")


def as_options(text):
    """Text with arguments of Python as options of the command.

    Examples
    --------
    >>> print(as_options("Drop it: drop=['my id', 'b']. Or pass missing_features='median'; max_features=0 is too few."))
    Drop it: --drop 'my id' --drop b. Or pass --missing-features median; --max-features 0 is too few.
    """
    text = _SUBJECT.sub(lambda found: f"--{OPTION_OF[found[1]]}", text)
    text = _GIVEN.sub(lambda found: option(found[1], ast.literal_eval(found[2])), text)
    text = _NUMBER.sub(lambda found: option(found[1], found[2]), text)
    return _ALONE.sub(lambda found: f"--{OPTION_OF.get(found[1] or found[2], found[0])}", text)


def option(name, value):
    """One argument of Python as options, once for each item of a list.

    Examples
    --------
    >>> option("empty", [-999, "n/a"]), option("keep", ["-x"]), option("empty", [...])
    ('--empty -999 --empty n/a', '--keep=-x', '--empty VALUE')
    """
    words = ["VALUE" if item is ... else str(item) for item in (value if isinstance(value, list) else [value])]
    mark = lambda word: "=" if re.match(r"-(?![\d.])", word) else " "  # else it would be taken for an option
    return " ".join(f"--{OPTION_OF[name]}{mark(word)}{shlex.quote(word)}" for word in words)


def error_as_options(error):
    """Message of a `TableError`, with what it proposes as options to be copied.

    Examples
    --------
    >>> from fslib.tables import Defect, TableError
    >>> print(error_as_options(TableError("t.csv", [Defect("id", "numbers rows.", "", drop=True)])))
    t.csv: column 'id' numbers rows. Proposed: --drop id
    """
    message, _, _ = str(error).partition("Proposed: ")
    proposed = " ".join(option(name, value) for name, value in proposals(error).items())
    return as_options(message) + (f"Proposed: {proposed}" if proposed else "").rstrip()


def error_as_parameters(error):
    """Message of a `TableError`, with what it proposes as parameters for papermill too.

    Examples
    --------
    >>> from fslib.tables import Defect, TableError
    >>> fill = Defect("", "has empty cells.", "", setting="missing_features='median'")
    >>> print(error_as_parameters(TableError("t.csv", [Defect("id", "numbers rows.", "", drop=True), fill])))
    t.csv cannot be used as it is, for 2 reasons:
      column 'id'  numbers rows.
      the table    has empty cells.
    Proposed for the cell of parameters: drop = ['id']; missing_features = 'median'
    Proposed for papermill: -y "{drop: ['id']}" -p missing_features median
    """
    message, _, _ = str(error).partition("Proposed: ")
    given = proposals(error)
    if not given:
        return str(error)
    cell = "; ".join(f"{name} = {value!r}" for name, value in given.items())
    return (
        f"{message.rstrip()}\nProposed for the cell of parameters: {cell}\n"
        f"Proposed for papermill: {' '.join(papermill_parameter(name, value) for name, value in given.items())}"
    )


def papermill_parameter(name, value):
    """One parameter of a notebook as an option of papermill: ``-y`` for a list, since ``-p`` passes text.

    Examples
    --------
    >>> papermill_parameter("groups", "the patient")
    "-p groups 'the patient'"
    """
    if not isinstance(value, list):
        return f"-p {name} {shlex.quote(str(value))}"
    return f"-y {_double_quoted('{' + name + ': ' + _yaml(value) + '}')}"


def _yaml(items):
    """A list in YAML, texts in single quotation marks."""
    quote = lambda item: "'" + item.replace("'", "''") + "'" if isinstance(item, str) else repr(item)
    return f"[{', '.join(map(quote, items))}]"


def _double_quoted(text):
    """Text in double quotation marks for a shell, unless it holds what a shell would read there."""
    return shlex.quote(text) if re.search(r'[\\"$`!]', text) else f'"{text}"'


def proposals(error):
    """What a `TableError` proposes: argument -> value; the first of two values for one argument.

    Examples
    --------
    >>> from fslib.tables import Defect, TableError
    >>> proposals(TableError("t.csv", [Defect("", "is empty.", "", setting="task='labels'")]))
    {'task': 'labels'}
    """
    found = {"drop": list(error.drop)} if any(defect.drop for defect in error.defects) else {}
    for defect in error.defects:
        name, _, value = defect.setting.partition("=")
        if value:
            found.setdefault(name, ast.literal_eval(value))
    return found


@contextmanager
def in_parameters():
    """Turn the message of a `TableError` raised inside into words for a notebook with parameters.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> from fslib.tables import Defect, TableError
    >>> with in_parameters():
    ...     raise TableError("t.csv", [Defect("id", "numbers rows.", "", drop=True)])
    Traceback (most recent call last):
    ValueError: t.csv: column 'id' numbers rows.
    Proposed for the cell of parameters: drop = ['id']
    Proposed for papermill: -y "{drop: ['id']}"
    """
    from fslib.tables import TableError

    try:
        yield
    except TableError as error:
        raise ValueError(error_as_parameters(error)) from None
