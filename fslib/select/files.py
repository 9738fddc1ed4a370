"""What an answer leaves on disk: a page, the chosen features, a fitted pipeline, and the code that does it again."""

import importlib
import inspect
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from fslib.files import atomic_path, guard_formula
from fslib.select.scores import median_imputer
from fslib.tables.reading import not_default

REPORT, SELECTED, MODEL, SNIPPET = "report.html", "selected.csv", "pipeline.skops", "reproduce.py"


def write_answer(answer, folder, *, source="table.csv", reading=None, words=str):
    """Write the report, the chosen features, the fitted pipeline and the code.

    Parameters
    ----------
    answer : Answer
    folder : path-like
        Made if it is not there; files of an earlier answer are replaced.
    source : str
        The table's file, for the title and the code.
    reading : dict or None
        Arguments of ``read_table`` beside the file, ``target`` among them; None: the target only.
    words : callable
        What the report makes of sentences that name arguments, see `fslib.select.report.render`.

    Returns
    -------
    dict of str to Path
        "report", "selected", "code", and "pipeline" unless nothing was chosen.
    """
    from fslib.select.report import render

    folder = Path(folder)
    reading = {"target": answer.table.target or answer.table.label_names} if reading is None else reading
    selected = guarded(selected_rows(answer)).to_csv(index=False, float_format="%.6g", lineterminator="\n")
    code = snippet(answer, source=source, reading=reading)
    here = "" if Path(str(source)).is_absolute() else f"# Run it in the folder from which {str(source)!r} was read.\n"
    made = {"selected": (SELECTED, selected), "code": (SNIPPET, here + code)}
    untrusted = []
    if answer.chosen:
        import skops.io

        model = skops.io.dumps(fitted_pipeline(answer))
        untrusted = skops.io.get_untrusted_types(data=model)
        made["pipeline"] = MODEL, model
    made["report"] = REPORT, render(answer, source=source, code=code, untrusted=untrusted, words=words)
    # All is made before anything is written, so that an error or Ctrl-C leaves the earlier answer or the new one.
    if not answer.chosen:
        (folder / MODEL).unlink(missing_ok=True)  # that of an earlier answer
    paths = {}
    for name, (file, content) in made.items():
        paths[name] = folder / file
        with atomic_path(paths[name]) as part:
            part.write_bytes(content.encode() if isinstance(content, str) else content)
    return paths


def guarded(rows):
    """Rows whose words no spreadsheet takes for formulas, see `fslib.files.guard_formula`.

    Examples
    --------
    >>> import pandas as pd
    >>> guarded(pd.DataFrame({"feature": ["=1+1", "age"], "rank": [1, 2]}))["feature"].tolist()
    ["'=1+1", 'age']
    """
    words = rows.select_dtypes(exclude="number").columns
    return rows.assign(**{name: [guard_formula(str(cell)) for cell in rows[name]] for name in words})


def selected_rows(answer):
    """Chosen features, best first, as they are written; no rows if nothing beats a guess.

    Returns
    -------
    DataFrame
        feature, column, rank, frequency, group_frequency, p, p_corrected, group, alternatives.
    """
    rows = answer.features[answer.features["feature"].isin(answer.chosen)].drop(columns="chosen")
    return rows.assign(alternatives=["; ".join(names) for names in rows["alternatives"]])


def fitted_pipeline(answer):
    """Pipeline that predicts the target from the chosen features of ``table.X``, fitted on all rows.

    Empty cells are filled with medians. Classes are those of the table.

    Parameters
    ----------
    answer : Answer

    Returns
    -------
    Pipeline

    Raises
    ------
    ValueError
        If nothing was chosen.
    """
    if not answer.chosen:
        raise ValueError("Nothing was chosen, so there is nothing to predict from.")
    y = answer.table.y
    if answer.problem.task == "classification" and np.asarray(y).dtype == object:
        y = np.asarray(y, dtype=str)
    model = make_pipeline(
        ColumnTransformer([("chosen", "passthrough", answer.chosen)], verbose_feature_names_out=False),
        median_imputer(),
        StandardScaler(),
        clone(answer.problem.learner),
    )
    return model.fit(answer.table.X, y)


def snippet(answer, *, source, reading):
    """Code of about ten lines that chooses the same features and fits the same model.

    Parameters
    ----------
    answer : Answer
    source : str
    reading : dict
        Arguments of ``read_table``.

    Returns
    -------
    str
    """
    reading = not_default(reading)
    target = reading.pop("target")
    arguments = "".join(f", {name}={value!r}" for name, value in reading.items())
    selector, learner = answer.selector, answer.problem.learner
    imports = {("sklearn.pipeline", "make_pipeline"), ("sklearn.preprocessing", "StandardScaler")}
    imports |= {("fslib.tables", "read_table")}
    median = constructor(median_imputer(), imports)
    made = constructor(selector, imports)
    judge = constructor(learner, imports)
    by_module = {}
    for module, name in sorted(imports):
        by_module.setdefault(module, []).append(name)
    y = "table.y"
    if answer.problem.task == "classification" and len(np.unique(answer.table.y)) == 2:
        positive = np.asarray(answer.table.y)[answer.problem.y == 1][0]
        y = f"(table.y == {positive.item() if isinstance(positive, np.generic) else positive!r}).astype(int)"
    lines = [
        *(f"from {module} import {', '.join(names)}" for module, names in by_module.items()),
        "",
        f"table = read_table({source!r}, {target!r}{arguments})",
        f'median = {median}.set_output(transform="pandas")',
        f"X, y = median.fit_transform(table.X), {y}",
        f"selector = {made}.fit(X, y)",
        f"ranking = {'selector[-1]' if isinstance(selector, Pipeline) else 'selector'}.ranking_",
        f"chosen = list(X.columns[ranking[:{answer.k}]])",
        f"model = make_pipeline(StandardScaler(), {judge}).fit(X[chosen], table.y)",
        "print(chosen)",
    ]
    return "\n".join(lines) + "\n"


def constructor(value, imports):
    """Code that makes an estimator with the parameters it has; adds ``(module, name)`` to the imports it needs.

    Examples
    --------
    >>> from fslib.filters import Discretized, MRMR
    >>> needed = set()
    >>> constructor(Discretized(MRMR(n_features_to_select=2)), needed)
    'Discretized(MRMR(n_features_to_select=2))'
    >>> sorted(needed)
    [('fslib.filters', 'Discretized'), ('fslib.filters', 'MRMR')]
    """
    if isinstance(value, Pipeline):
        imports.add(("sklearn.pipeline", "make_pipeline"))
        return f"make_pipeline({', '.join(constructor(step, imports) for _, step in value.steps)})"
    if isinstance(value, np.ndarray):
        return repr(value.tolist())
    if isinstance(value, list):
        return f"[{', '.join(constructor(one, imports) for one in value)}]"
    if isinstance(value, np.generic):
        return repr(value.item())
    kind = type(value)
    if not (isinstance(value, BaseEstimator) or kind.__module__.startswith("fslib.")):
        return repr(value)
    imports.add((_public_module(kind), kind.__name__))
    arguments = []
    for name, parameter in inspect.signature(kind).parameters.items():
        given = getattr(value, name)
        if given is parameter.default or (np.isscalar(given) and given == parameter.default):
            continue
        text = constructor(given, imports)
        arguments.append(
            text if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and len(arguments) == 0 else f"{name}={text}"
        )
    return f"{kind.__name__}({', '.join(arguments)})"


def _public_module(kind):
    """Shortest module from which a class can be imported."""
    parts = kind.__module__.split(".")
    for end in range(2, len(parts) + 1):
        module = ".".join(parts[:end])
        if getattr(importlib.import_module(module), kind.__name__, None) is kind:
            return module
    return kind.__module__
