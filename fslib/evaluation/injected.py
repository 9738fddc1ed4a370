"""Parameters that papermill injects into a notebook: it only warns of a name that the notebook does not have."""

import ast
import difflib


def check_injected(namespace: dict) -> None:
    r"""Refuse injected parameters that the parameters cell does not declare, or whose type is another.

    Call it in the first cell after the parameters: ``check_injected(get_ipython().user_ns)``.

    Parameters
    ----------
    namespace : dict
        Of the notebook. ``In``: sources of the cells that have run; injected is what starts with ``# Parameters``, as
        papermill has it, and a notebook that a person runs has no such cell. ``__annotations__``: parameters and types.

    Raises
    ------
    ValueError
        For a name that the notebook does not have.
    TypeError
        For a value of another type, such as a text where a list is meant.

    Examples
    --------
    >>> check_injected({"In": ["seed: int = 0", "# Parameters\nseed = 3"], "__annotations__": {"seed": int}})
    >>> check_injected({"In": ["seed: int = 0", "# Parameters\nsed = 3"], "__annotations__": {"seed": int}})
    Traceback (most recent call last):
    ValueError: This notebook has no parameter 'sed'. Did you mean 'seed'?
    >>> check_injected({"In": ['# Parameters\ndrop = "ab"'], "__annotations__": {"drop": list}})
    Traceback (most recent call last):
    TypeError: drop='ab' must be a list, such as ['ab']; with papermill: -y "drop: ['ab']".
    """
    declared = namespace["__annotations__"]
    injected = next((cell for cell in reversed(namespace["In"]) if cell.lstrip().startswith("# Parameters")), "")
    for statement in ast.parse(injected).body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            continue
        name, value = statement.targets[0].id, ast.literal_eval(statement.value)
        if name not in declared:
            near = difflib.get_close_matches(name, declared, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"It has {', '.join(declared)}."
            raise ValueError(f"This notebook has no parameter {name!r}. {hint}")
        wanted = declared[name]
        if type(value) is wanted or (wanted is float and type(value) is int):
            continue
        if wanted is list:
            raise TypeError(
                f'{name}={value!r} must be a list, such as [{value!r}]; with papermill: -y "{name}: [{value!r}]".'
            )
        raise TypeError(f"{name}={value!r} must be of type {wanted.__name__}.")
