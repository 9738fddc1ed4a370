"""How files come over the network: with time limits, a progress bar, and a checksum wherever one is known."""

import contextlib
import hashlib
import io
import json
import queue
import re
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from urllib.response import addinfourl

from tqdm import tqdm

CONNECT, READ, WHOLE = 10.0, 30.0, 900.0
"""Seconds: until a server answers the call, until it sends the next bytes, until everything is there."""

BLOCK = 1 << 16
DESCRIPTION = re.compile(r"/api/v1/json/data/\d+$")
"""Address of OpenML's description of a data set, which holds the address and the MD5 sum of its file."""


class StalledError(urllib.error.URLError):
    """A server did not send the requested data within the limits."""

    def __str__(self):
        return str(self.reason)


def within(seconds, function, given_up):
    """Return what a function returns, or give up on it.

    Parameters
    ----------
    seconds : float
    function : callable
    given_up : threading.Event
        Set when the caller no longer waits.

    Returns
    -------
    object

    Raises
    ------
    StalledError
        If the function has not returned in time. Its thread ends with the next bytes that come in.
    """
    results = queue.Queue()

    def run():
        try:
            results.put((function(), None))
        except BaseException as error:  # of any kind: it is raised again by whoever waits
            results.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        result, error = results.get(timeout=seconds)
    except queue.Empty:
        raise StalledError(f"the server had not sent everything after {seconds:g} s") from None
    finally:
        given_up.set()
    if error is not None:
        raise error
    return result


class Downloader:
    """Fetch a file over HTTP, as `pooch` wants it done: called with an address and a path.

    Parameters
    ----------
    given_up : threading.Event
        Stop when it is set.
    """

    def __init__(self, given_up):
        self.given_up = given_up

    def __call__(self, url, output_file, pooch, check_only=False):
        """Write what the address holds to a path."""
        import requests  # here: importing fslib must not pay for it
        from urllib3.exceptions import HTTPError as BrokenError

        try:
            with requests.get(url, stream=True, timeout=(CONNECT, READ)) as response:
                if response.status_code >= 400:
                    raise urllib.error.HTTPError(url, response.status_code, response.reason, {}, io.BytesIO())
                with open(output_file, "wb") as file, _bar(url, response) as bar:
                    while block := response.raw.read1(BLOCK, decode_content=True):
                        if self.given_up.is_set():
                            raise StalledError("given up")
                        file.write(block)
                        bar.update(len(block))
                if response.raw.length_remaining:
                    raise StalledError(f"{_host(url)} broke off {response.raw.length_remaining} bytes before the end")
        except (requests.RequestException, BrokenError) as error:
            if "timed out" in str(error).lower():
                limit = CONNECT if "connect timeout" in str(error).lower() else READ
                raise StalledError(f"{_host(url)} sent nothing for {limit:g} s") from error
            raise StalledError(f"{_host(url)}: {error}") from error


def _bar(url, response):
    """Progress bar of a download, where it can be seen; none for the short descriptions."""
    size = response.headers.get("Content-Length", "")
    total = int(size) if size.isdecimal() else None
    units = {"unit": "B", "unit_scale": True, "unit_divisor": 1024}
    return tqdm(total=total, desc=_host(url), delay=0.5, disable=None, **units)


def _host(url):
    return urllib.parse.urlsplit(url).netloc


class _Handler(urllib.request.BaseHandler):
    """Answers the requests of `urllib` through `Downloader`; a file whose checksum is known goes through pooch."""

    handler_order = 100  # before urllib's own

    def __init__(self, folder, given_up):
        self.folder, self.given_up, self.sums = Path(folder), given_up, {}
        self.stalled = None

    def http_open(self, request):
        """Answer a request; a server that has stalled is not asked once more."""
        if self.stalled is not None:
            raise self.stalled
        try:
            return self._answer(request)
        except StalledError as error:
            self.stalled = error
            raise

    def _answer(self, request):
        import pooch

        url, downloader = request.full_url, Downloader(self.given_up)
        file = hashlib.sha256(url.encode()).hexdigest()  # asked again, pooch hands out what it has checked
        name = self.folder / file
        if url in self.sums:
            places = {"path": str(self.folder), "fname": file}
            pooch.retrieve(url, f"md5:{self.sums[url]}", downloader=downloader, **places)
        else:
            downloader(url, name, None)
        if DESCRIPTION.search(url):
            self._note_sum(url, name)
        answer = addinfourl(open(name, "rb"), {}, url, 200)
        answer.msg = "OK"
        return answer

    https_open = http_open

    def _note_sum(self, url, name):
        with contextlib.suppress(ValueError, LookupError, TypeError):
            described = json.loads(name.read_text(encoding="utf-8"))["data_set_description"]
            checksum, place = described["md5_checksum"], urllib.parse.urljoin(url, described["url"])
            self.sums[place] = checksum


@contextlib.contextmanager
def patient_urlopen(given_up):
    """Let every ``urllib.request.urlopen`` within the block keep the limits; it sets none by itself.

    Parameters
    ----------
    given_up : threading.Event
    """
    before = getattr(urllib.request, "_opener", None)
    with tempfile.TemporaryDirectory(prefix="fslib-download-") as folder:
        urllib.request.install_opener(urllib.request.build_opener(_Handler(folder, given_up)))
        try:
            yield
        finally:
            urllib.request.install_opener(before)
