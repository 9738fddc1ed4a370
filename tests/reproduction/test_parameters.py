import pytest
from nbformat import v4

from fslib.reproduction.run.parameters import declared, fitted, read_profile


def notebook(*sources, tag="parameters"):
    return v4.new_notebook(cells=[v4.new_code_cell(source, metadata={"tags": [tag]}) for source in sources])


def test_every_allowed_type_is_read_without_running_the_cell():
    source = (
        'a: int = 1  # help\nb: float = 1e-05\nc: bool = False\nd: str = "x"\ne: list = ["p", 2]\nf: dict = {"q": 1}'
    )
    assert declared(notebook(source)) == {"a": 1, "b": 1e-05, "c": False, "d": "x", "e": ["p", 2], "f": {"q": 1}}


@pytest.mark.parametrize(
    "line",
    [
        "a = 1",
        "a: int",
        "a: int | None = None",
        "a: np.int64 = 1",
        "a: list = list(range(3))",
        "import os",
        "a: tuple = (1,)",
    ],
)
def test_what_papermill_would_overlook_is_refused(line):
    with pytest.raises(ValueError, match="is not `name: type = literal`"):
        declared(notebook(line))


@pytest.mark.parametrize("line", ["a: float = 1", "a: int = True", "a: str = 1"])
def test_a_default_has_the_type_it_claims(line):
    with pytest.raises(ValueError, match="the default in"):
        declared(notebook(line))


@pytest.mark.parametrize("cells", [[], ["a: int = 1", "b: int = 1"]])
def test_exactly_one_parameters_cell(cells):
    with pytest.raises(ValueError, match=f"has {len(cells)} code cells tagged"):
        declared(notebook(*cells))


def test_unknown_name_is_an_error_that_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"n1 has no parameter 'sed'; it has seed, C"):
        fitted({"sed": 1}, {"seed": 0, "C": 0.5}, "n1")


@pytest.mark.parametrize(
    "wrong", [{"seed": 1.0}, {"seed": True}, {"seed": "1"}, {"C": "0.5"}, {"C": True}, {"names": "a"}]
)
def test_value_of_another_type_is_an_error(wrong):
    with pytest.raises(TypeError, match="must be"):
        fitted(wrong, {"seed": 0, "C": 0.5, "names": ["a"]})


def test_an_int_for_a_float_becomes_one():
    (value,) = fitted({"C": 2}, {"C": 0.5}).values()
    assert value == 2 and type(value) is float


def test_profiles_keep_the_types_that_yaml_loses(tmp_path):
    (tmp_path / "big.toml").write_text('["bayes/1"]\nC = 1e-05\nclock = "12:30"\nanswer = "yes"\n')
    assert read_profile("big", tmp_path) == {"bayes/1": {"C": 1e-05, "clock": "12:30", "answer": "yes"}}


@pytest.mark.parametrize(
    ("text", "message"),
    [("C = ", "big.toml: Invalid value"), ("C = 1", "C must be below a notebook name")],
)
def test_a_profile_that_is_none(tmp_path, text, message):
    (tmp_path / "big.toml").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_profile("big", tmp_path)
    with pytest.raises(ValueError, match="No profile 'huge'; there are quick, big"):
        read_profile("huge", tmp_path)
