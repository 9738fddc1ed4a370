"""Streams are joined as nbclient joins them, in a time that does not grow with the square of a line."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_output

from fslib.reproduction.run.bounded import joined

BACKSPACE, RETURN = re.compile(r"[^\n]\x08"), re.compile(r".*\r(?=[^\n])")


def as_nbclient(text):
    """The loop of `nbclient.client.NotebookClient.async_execute_cell`."""
    old = None
    while old != text:
        old, text = text, BACKSPACE.sub("", text, count=1)
    return RETURN.sub("", text)


@given(st.text(alphabet="ab\r\n", max_size=12))
def test_carriage_returns_are_nbclient_s(text):
    assert joined([new_output("stream", text=text)])[0].text == as_nbclient(text)


@given(st.text(alphabet="ab\x08\n", max_size=12).filter(lambda text: "\n\x08" not in text and text[:1] != "\x08"))
def test_backspaces_take_back_one_sign(text):
    ours, theirs = joined([new_output("stream", text=text)])[0].text, as_nbclient(text)
    assert ours.replace("\x08", "") == theirs.replace("\x08", "")


@pytest.mark.parametrize("text", ["x" * 10**6, "x\r" * 500_000, "x\x08" * 500_000, "\r" * 10**6])
def test_a_long_line_takes_no_hours(text):
    begun = time.process_time()
    joined([new_output("stream", text=text)])
    assert time.process_time() - begun < 5
