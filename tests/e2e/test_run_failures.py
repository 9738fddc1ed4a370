"""Whatever happens in one notebook: the exit code says so, the cell is named, no half result stays, the others run."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("run")]

TABLE = """import pandas as pd
from fslib.reproduction.compare.results import Results
out = Results("bayes", {section!r}, results_dir)
rows = pd.DataFrame({{"dataset": "toy", "method": "none", "metric": "seed", "value": [float(seed)]}})
_ = out.table(rows, {item!r})"""


def test_each_way_to_fail_is_told_apart_and_leaves_nothing_behind(write_notebook, fslib_run):
    table = TABLE.format(section="x", item="Table 99")
    write_notebook("bayes/good", TABLE.format(section="good", item="Table 98"))
    write_notebook("bayes/raises", table, "1 / 0", "never = 1")
    write_notebook("bayes/leaves", table, "import sys\nsys.exit(0)", "never = 1")
    write_notebook("bayes/dies", table, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "never = 1")
    write_notebook("bayes/sleeps", table, "import time\ntime.sleep(600)", "never = 1")
    code, printed, status = fslib_run("--timeout=45", "--jobs=4")
    assert code == 1
    assert {name: ended["status"] for name, ended in status.items()} == {
        "bayes/good": "done",
        "bayes/raises": "failed",
        "bayes/leaves": "failed",
        "bayes/dies": "failed",
        "bayes/sleeps": "timeout",
    }
    assert {ended["cell"] for name, ended in status.items() if name != "bayes/good"} == {3}  # parameters, table, this
    assert (
        "ZeroDivisionError: division by zero (in the cell that begins with: 1 / 0)" in status["bayes/raises"]["error"]
    )
    assert "before its end" in status["bayes/leaves"]["error"]
    assert "kernel died" in status["bayes/dies"]["error"]
    assert "no end after 45 s" in status["bayes/sleeps"]["error"]
    assert [path.name for path in (fslib_run.run / "tables").iterdir()] == ["bayes_table_98.csv"]
    executed = {path.name for path in (fslib_run.run / "notebooks/bayes").glob("*.ipynb")}
    assert executed == {"good.ipynb", "raises.part.ipynb", "leaves.part.ipynb", "dies.part.ipynb", "sleeps.part.ipynb"}
    assert "raises.log" in printed and "ZeroDivisionError" in (fslib_run.run / "logs/bayes/raises.log").read_text()


def test_a_reader_s_own_set_up_changes_nothing(tmp_path, write_notebook, fslib_run):
    startup = tmp_path / "ipython/profile_default/startup/00.py"
    startup.parent.mkdir(parents=True)
    startup.write_text("hidden = 1")
    write_notebook(
        "bayes/isolated",
        "assert 'hidden' not in globals()",
        "import os\nassert os.environ['OMP_NUM_THREADS'] == '1' and os.environ['PYTHONHASHSEED'] == '0'",
        "assert os.path.basename(os.getcwd()) == 'bayes'",
        "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])",
    )
    _, printed, status = fslib_run(IPYTHONDIR=str(tmp_path / "ipython"), MPLBACKEND="agg", OMP_NUM_THREADS="7")
    assert status["bayes/isolated"]["status"] == "done", printed
    assert "image/png" in (fslib_run.run / "notebooks/bayes/isolated.ipynb").read_text()


def test_two_notebooks_may_not_write_the_same_item_and_an_edit_makes_old_numbers_go(write_notebook, fslib_run):
    for name in ("a", "b"):
        write_notebook(f"bayes/{name}", TABLE.format(section=name, item="Table 97"))
    _, _, status = fslib_run("--jobs=1")
    assert [entry["status"] for entry in status.values()] == ["done", "failed"]
    assert "bayes/a writes ['tables/bayes_table_97.csv'] as well" in status["bayes/b"]["error"]

    write_notebook("bayes/a", "raise ValueError('edited')")
    code, printed, status = fslib_run("--only=bayes/a")
    assert code == 1 and status["bayes/a"]["status"] == "failed"
    assert "ValueError: edited" in status["bayes/a"]["error"] and "bayes/a  " in printed
    assert not list((fslib_run.run / "tables").iterdir())
