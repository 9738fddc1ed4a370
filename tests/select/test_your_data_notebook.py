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
