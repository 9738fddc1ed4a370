"""The setting of a tidy row, "key=value;key=value", as a dictionary and as columns."""

import pandas as pd


def parse_setting(setting: str) -> dict[str, str]:
    """Split a setting into its keys and values.

    Raises
    ------
    ValueError
        If a part has no "=" or a key comes twice.

    Examples
    --------
    >>> parse_setting("k=5;loss=0-1")
    {'k': '5', 'loss': '0-1'}
    >>> parse_setting("")
    {}
    """
    parsed: dict[str, str] = {}
    for part in str(setting).split(";") if isinstance(setting, str) and setting else ():
        key, equals, value = part.partition("=")
        if not equals or not key or key in parsed:
            raise ValueError(f"setting {setting!r}: {part!r} is not a new key=value; write 'key=value;key=value'")
        parsed[key] = value
    return parsed


def format_setting(**parts: object) -> str:
    """Write keys and values as a setting, in the order given; what is None is left out.

    Examples
    --------
    >>> format_setting(k=5, loss="0-1", c=None)
    'k=5;loss=0-1'
    """
    return ";".join(f"{key}={value}" for key, value in parts.items() if value is not None)


def with_settings(frame: pd.DataFrame) -> pd.DataFrame:
    """Copy a tidy frame with one more column per setting key; numeric keys become numbers, absent ones missing.

    Examples
    --------
    >>> frame = pd.DataFrame({"setting": ["k=5;loss=0-1", "k=10;loss=0-1"], "value": [0.2, 0.1]})
    >>> with_settings(frame)[["k", "loss", "value"]]
        k loss  value
    0   5  0-1    0.2
    1  10  0-1    0.1
    """
    parsed = pd.DataFrame([parse_setting(s) for s in frame["setting"]], index=frame.index)
    for key in parsed:
        numbers = pd.to_numeric(parsed[key], errors="coerce")
        if numbers.notna().equals(parsed[key].notna()):
            parsed[key] = numbers
    fresh = [key for key in parsed if key not in frame]
    return pd.concat([frame, parsed[fresh]], axis=1)
