"""Papermill's client with a bound on what is kept of a cell's output: a loop that prints fills no disk and no page."""

import os
from pathlib import Path

from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines

from fslib.reproduction.run.scratch import note_process

KEPT, LOGGED = 1_000_000, 100_000
"""Characters of one cell's output that are kept in the notebook, and that are copied to the log."""

PER_OUTPUT = 100
"""Fewest characters that an output counts as: a million empty outputs are as large a load as one long text."""

ENGINE = "bounded"


class BoundedClient(PapermillNotebookClient):
    """Cut a cell's output beyond `KEPT` characters, and say how much was cut."""

    def papermill_execute_cells(self):
        """Execute the cells; the kernel's process is known by now."""
        provisioner = getattr(self.km, "provisioner", None)
        if os.environ.get("FSLIB_SCRATCH") and getattr(provisioner, "pid", None):
            note_process(Path(os.environ["FSLIB_SCRATCH"]), provisioner.pid)
        super().papermill_execute_cells()

    def execute_cell(self, cell, cell_index, **options):
        """Execute one cell, with fresh counts."""
        self._left = {"kept": KEPT, "logged": LOGGED}
        self._cut = 0
        try:
            return super().execute_cell(cell, cell_index, **options)
        finally:
            if cell.cell_type == "code":
                cell.outputs = joined(cell.get("outputs", []))
                if self._cut:
                    text = f"\n[{self._cut:,} characters of output were cut here; {KEPT:,} are kept of each cell]\n"
                    cell.outputs.append(_stream(text))

    def process_message(self, msg, cell, cell_index):
        """Take a message of the kernel, at most as much of it as is left to this cell."""
        if msg["msg_type"] in ("stream", "display_data", "execute_result", "update_display_data", "error"):
            msg = {**msg, "content": self._bounded(msg["content"])}
        return super().process_message(msg, cell, cell_index)

    def clear_output(self, outs, msg, cell_index):
        """Forget the outputs so far, as a progress bar asks."""
        super().clear_output(outs, msg, cell_index)
        self._left["kept"], self._cut = KEPT, 0

    def log_output_message(self, output):
        """Copy an output to the log while there is room."""
        length = PER_OUTPUT + _length(output)
        if self._left["logged"] > 0:
            super().log_output_message(output)
            self._left["logged"] -= length
            if self._left["logged"] <= 0:
                self.log.info("[no more of this cell's output is logged]")

    def _bounded(self, content):
        """Cut the content of one message to what is left; a picture or a table is kept whole or not at all."""
        left, length = self._left["kept"], _length(content)
        self._left["kept"] = max(0, left - length - PER_OUTPUT)
        if length <= left and left > 0:
            return content
        if "ename" in content:  # an error is shown in any case, its end above all
            short = {"ename": content["ename"][:200], "evalue": content["evalue"][:2000]}
            self._cut += length
            return {**content, **short, "traceback": [_end("\n".join(content["traceback"]), 20_000)]}
        if "text" in content:
            self._cut += max(0, len(content["text"]) - left)
            return {**content, "text": content["text"][:left]}
        self._cut += length
        return {**content, "data": {"text/plain": "[output cut]"}, "metadata": {}}


class BoundedEngine(NBClientEngine):
    """Papermill's engine for `BoundedClient`."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, **options):
        """Execute a notebook."""
        start, limit = options.pop("start_timeout"), options.pop("execution_timeout")
        for unused in ("input_path", "stdout_file", "stderr_file"):
            options.pop(unused, None)
        names = {"kernel_name": kernel_name, "startup_timeout": start, "timeout": limit}
        return BoundedClient(nb_man, **options, **names, log=_logger()).execute()


def joined(outputs):
    r"""Join the streams of a cell, each to one text as a terminal would show it: progress bars write over themselves.

    As nbclient does it, which takes hours for a line of a million characters: its search begins at each of them.

    Parameters
    ----------
    outputs : list of NotebookNode

    Returns
    -------
    list of NotebookNode
        Standard output before the errors where the two are neighbours.

    Examples
    --------
    >>> outputs = [_stream("a"), _stream(" 10%\r 20%\nd"), _stream("one")]
    >>> outputs[2].name = "stdout"
    >>> [(output.name, output.text) for output in joined(outputs)]
    [('stdout', 'one'), ('stderr', ' 20%\nd')]
    """
    streams, kept = {}, []
    for output in outputs:
        if output["output_type"] != "stream":
            kept.append(output)
        elif output["name"] in streams:
            streams[output["name"]].append(output["text"])
        else:
            streams[output["name"]] = [output["text"]]
            kept.append(output)
    for output in kept:
        if output["output_type"] == "stream":
            output["text"] = _as_shown("".join(streams[output["name"]]))
    for i in range(len(kept) - 1):
        if [part.get("name") for part in kept[i : i + 2]] == ["stderr", "stdout"]:
            kept[i : i + 2] = kept[i + 1], kept[i]
    return kept


def _as_shown(text):
    """Carry out what a text says by carriage returns and backspaces."""
    if "\b" in text:
        shown: list[str] = []
        for sign in text:
            if sign == "\b" and shown and shown[-1] != "\n":
                shown.pop()
            else:
                shown.append(sign)
        text = "".join(shown)
    # a carriage return before the end of a line is part of the end, and takes nothing back
    lines = ((line[:-1], "\r") if line.endswith("\r") else (line, "") for line in text.split("\n"))
    return "\n".join(line.rpartition("\r")[2] + end for line, end in lines)


def _logger():
    from papermill.log import logger

    return logger


def _stream(text):
    from nbformat.v4 import new_output

    return new_output("stream", name="stderr", text=text)


def _end(text, length):
    return text if len(text) <= length else f"[...] {text[-length:]}"


def _length(value):
    """Characters in a message's content or an output."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_length, value.values()))
    return sum(map(_length, value)) if isinstance(value, list | tuple) else 8


papermill_engines.register(ENGINE, BoundedEngine)
