"""The notebook refuses what plain papermill injects by mistake."""

from pathlib import Path

import papermill
import pytest

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "your_data.ipynb"


@pytest.mark.e2e
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kk": 2}, "This notebook has no parameter 'kk'"),
        ({"drop": "ab"}, r"drop='ab' must be a list, such as \['ab'\]"),
    ],
)
def test_a_misspelt_parameter_and_a_text_for_a_list_are_refused(tmp_path, parameters, message):
    with pytest.raises(papermill.PapermillExecutionError, match=message):
        papermill.execute_notebook(
            NOTEBOOK, tmp_path / "out.ipynb", parameters, kernel_name="python3", cwd=NOTEBOOK.parent, progress_bar=False
        )


@pytest.mark.e2e
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_what_a_table_needs_is_proposed_as_parameters(tmp_path):
    (tmp_path / "fruit.csv").write_text("size,kind\n" + "1,large\n2,\n4,small\n" * 10)
    parameters = {"path": str(tmp_path / "fruit.csv"), "target": ["kind"]}
    with pytest.raises(papermill.PapermillExecutionError, match="papermill: -p missing_target drop_rows"):
        papermill.execute_notebook(
            NOTEBOOK, tmp_path / "out.ipynb", parameters, kernel_name="python3", cwd=NOTEBOOK.parent, progress_bar=False
        )


@pytest.mark.e2e
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_target_called_auto_is_written(tmp_path):
    """The word is also the default of other parameters, which reproduce.py leaves out."""
    (tmp_path / "cars.csv").write_text("size,noise,auto\n" + "1,5,no\n2,7,no\n7,5,yes\n9,6,yes\n" * 6)
    parameters = {"path": str(tmp_path / "cars.csv"), "target": ["auto"], "n_folds": 2, "max_features": 1}
    papermill.execute_notebook(
        NOTEBOOK,
        tmp_path / "out.ipynb",
        parameters | {"results_dir": str(tmp_path)},
        kernel_name="python3",
        cwd=NOTEBOOK.parent,
        progress_bar=False,
    )
    code = (tmp_path / "cars_features" / "reproduce.py").read_text()
    assert f"read_table({parameters['path']!r}, 'auto', missing_features='median')" in code
