"""Streams are joined as nbclient joins them, in a time that does not grow with the square of a line."""

import itertools
import re
import time

import pytest
from nbformat.v4 import new_output

from fslib.reproduction.run.bounded import KEPT, BoundedClient, joined
from fslib.reproduction.run.supervisor import HEAD, TAIL, _Log

RETURN = re.compile(r".*\r(?=[^\n])")
"""What nbclient removes from the text of a stream: all of a line before a carriage return."""


def shown(text):
    return joined([new_output("stream", text=text)])[0].text


def test_carriage_returns_are_nbclient_s():
    texts = ("".join(signs) for length in range(7) for signs in itertools.product("ab\r\n", repeat=length))
    assert not [text for text in texts if shown(text) != RETURN.sub("", text)]


@pytest.mark.parametrize(("text", "result"), [("ab\x08", "a"), ("a\x08\x08b", "\x08b"), ("ab\x08c\n\x08", "ac\n\x08")])
def test_backspaces_take_back_one_sign(text, result):
    assert shown(text) == result


@pytest.mark.parametrize("text", ["x" * 10**6, "x\r" * 500_000, "x\x08" * 500_000, "\r" * 10**6], ids=lambda t: t[:2])
def test_a_long_line_takes_no_hours(text):
    begun = time.process_time()
    shown(text)
    assert time.process_time() - begun < 5


def test_what_is_kept_of_a_message():
    client = BoundedClient.__new__(BoundedClient)
    client._left, client._cut = {"kept": KEPT}, 0
    long = "x" * (KEPT - 500)
    assert client._bounded({"name": "stdout", "text": long})["text"] == long and not client._cut
    assert client._bounded({"name": "stdout", "text": "y" * 1000})["text"] == "y" * 394 and client._cut == 606
    assert client._bounded({"data": {"image/png": "z" * 90}, "metadata": {}})["data"] == {"text/plain": "[output cut]"}
    error = client._bounded({"ename": "E", "evalue": "v" * 10**7, "traceback": ["t" * 10**7, "the end"]})
    assert len(str(error)) < 30_000 and error["traceback"][0].endswith("the end") and client._cut > 2 * 10**7


@pytest.mark.parametrize("size", [10, HEAD, HEAD + TAIL, HEAD + TAIL + 7])
def test_of_a_log_the_beginning_and_the_end_are_kept(tmp_path, size):
    whole = bytes(i % 251 for i in range(size))
    with open(tmp_path / "log", "wb") as file:
        log = _Log(file)
        for start in range(0, size, 65_521):
            log.write(whole[start : start + 65_521])
        log.close()
    found = (tmp_path / "log").read_bytes()
    if size <= HEAD + TAIL:
        assert found == whole
    else:
        assert found == whole[:HEAD] + b"\n[7 bytes of the log are cut here]\n" + whole[-TAIL:]
