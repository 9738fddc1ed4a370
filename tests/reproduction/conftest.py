"""A small run on disk, as `fslib run` leaves it, without running anything."""

import json

import matplotlib
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas as pd
import pytest

from fslib import plotting
from fslib.evaluation.verdicts import cannot_be_tested, verdict
from fslib.reproduction.compare.reported import read_reported
from fslib.reproduction.compare.results import Results
from fslib.reproduction.paths import RunFolder

NOTEBOOKS = {
    "bayes/2_motivating_example": ["bayes_example_1.csv"],
    "bayes/4_1_classification": ["bayes_figure_1.csv"],
    "bayes/4_5_run_time": ["bayes_table_2.csv"],
}


def example_1():
    values = {"mi_x1_y": 0.081889, "mi_x2_y": 0.172410, "bayes_error_x1": 0.25, "bayes_error_x2": 0.31}
    return pd.DataFrame([{"dataset": "", "method": "", "metric": m, "value": v} for m, v in values.items()])


def figure_1():
    rows = [
        {
            "dataset": d,
            "method": m,
            "setting": f"k={k}",
            "metric": "error_0_1",
            "value": v / k + 0.1,
            "std": 0.01,
            "n": 5,
        }
        for d in ("Splice", "Waveform")
        for v, m in enumerate(("BayesGreedy", "MIGreedy", "FScore"), start=1)
        for k in (1, 2, 5)
    ]
    return pd.DataFrame(rows)


def table_2():
    rows = read_reported("bayes", "Table 2").query("dataset == 'Adult'")
    rows = rows.assign(value=rows["value"].astype(float) / 100, std=np.nan, n=3)
    return rows.assign(method=rows["method"].str.replace("c-Bayes", "Bayes"))[[*figure_1().columns]]


def executed(text):
    """An executed notebook with one picture-free output."""
    code = nbformat.v4.new_code_cell("1 + 1", execution_count=1)
    code.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "2"}, execution_count=1)]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(f"# {text}\n\n$x^2$"), code])


@pytest.fixture
def fake_run(tmp_path):
    """Folder of a run with three notebooks that ended well and one that failed."""
    matplotlib.use("agg")
    run = RunFolder(tmp_path / "run")
    results = {name: Results(name.split("/")[0], name.split("/")[1], run.path) for name in NOTEBOOKS}
    results["bayes/2_motivating_example"].table(example_1(), "Example 1")
    results["bayes/2_motivating_example"].verdict(verdict(True, "0.1724 > 0.0819", claim_id="ex1-mi-picks-feature-2"))
    results["bayes/2_motivating_example"].verdict(
        verdict(False, "0.25 < 0.31 & <b>", claim_id="ex1-bayes-picks-feature-1")
    )
    results["bayes/4_1_classification"].table(figure_1(), "Figure 1")
    plotting.use_style()
    curves = plotting.curve_grid(figure_1(), "k", "dataset")
    plt.close(results["bayes/4_1_classification"].figure(curves, "Figure 1"))
    results["bayes/4_1_classification"].verdict(
        cannot_be_tested("Semeion is not bundled", claim_id="fig1-semeion-exception")
    )
    results["bayes/4_5_run_time"].table(table_2(), "Table 2")
    entries = {}
    for name, tables in NOTEBOOKS.items():
        paper, section = name.split("/")
        outputs = [f"tables/{table}" for table in tables]
        outputs += [f"claims/{paper}_{section}.csv"] if (run.claims / f"{paper}_{section}.csv").exists() else []
        outputs += ["figures/bayes_figure_1.svg"] if section == "4_1_classification" else []
        entries[name] = {"status": "done", "seconds": 12.3, "cell": None, "error": None, "outputs": outputs}
        entries[name] |= {"parameters": {"n_repeats": 3}}
        run.executed(name).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(executed(name), run.executed(name))
    failed = "bayes/4_4_many_features"
    entries[failed] = {"status": "failed", "seconds": 3.0, "cell": 4, "error": "ValueError: k > d", "outputs": []}
    run.log(failed).parent.mkdir(parents=True)
    run.log(failed).write_text("Traceback <most recent call last>\nValueError: k > d\n")
    run.status.write_text(json.dumps({"profile": "quick", "notebooks": entries}))
    run.manifest.write_text(json.dumps({"python": "3.11", "cpu": "a", "cores": 2, "commit": "0" * 40, "dirty": False}))
    return run.path
