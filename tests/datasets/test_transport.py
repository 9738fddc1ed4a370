"""Fetching: limits of time, a checksum, one sentence when a server stalls. The server is on this machine."""

import hashlib
import http.server
import json
import re
import socketserver
import threading
import time
import urllib.request

import pytest
from sklearn.datasets import _openml

from fslib.datasets import cli, copies, loader, openml, transport
from fslib.datasets.registry import Entry

ARFF = "@relation toy\n@attribute f numeric\n@attribute g numeric\n@attribute c {a,b}\n@data\n1,2,a\n3,4,b\n5,6,b\n"
FEATURES = [("f", "numeric", "false"), ("g", "numeric", "false"), ("c", "nominal", "true")]
RECORD = Entry("toy", "made up", "none", shape=(3, 2), openml=7)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


@pytest.fixture
def server(monkeypatch, tmp_path):
    """OpenML with one data set; ``server.stall`` names what it does with the file."""

    class Answers(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def do_GET(self):
            base = f"http://127.0.0.1:{running.server_port}"
            if self.path == "/api/v1/json/data/7":
                checksum = hashlib.md5(ARFF.encode()).hexdigest()
                about = {"id": "7", "name": "toy", "version": "1", "format": "ARFF", "status": "active"}
                about |= {"url": f"{base}/file/7/toy.arff", "file_id": "7", "md5_checksum": checksum}
                about |= {"default_target_attribute": "c", "visibility": "public", "description": ""}
                return self.send(json.dumps({"data_set_description": about}).encode())
            if self.path.startswith("/api/v1/json/data/features"):
                names = ("index", "name", "data_type", "is_target")
                rows = [dict(zip(names, (str(i), *row), strict=True)) for i, row in enumerate(FEATURES)]
                more = {"is_ignore": "false", "is_row_identifier": "false", "number_of_missing_values": "0"}
                return self.send(json.dumps({"data_features": {"feature": [row | more for row in rows]}}).encode())
            if self.path.startswith("/api/v1/json/data/qualities"):
                return self.send(b'{"data_qualities": {"quality": []}}')
            return self.file()

        def send(self, body, length=None):
            self.send_response(200)
            self.send_header("Content-Length", str(len(body) if length is None else length))
            self.end_headers()
            self.wfile.write(body)

        def file(self):
            running.asked += 1
            body = ARFF.encode()
            if running.stall == "silent":
                running.free.wait(60)
            elif running.stall == "stops":
                self.send(body[:40], len(body))
                running.free.wait(60)
            elif running.stall == "drips":
                self.send(b"", len(body))
                for i in range(len(body)):
                    if running.free.wait(0.2):
                        break
                    self.wfile.write(body[i : i + 1])
            elif running.stall == "cut":
                self.send(body[:40], len(body))
                self.close_connection = True
            elif running.stall == "other":
                self.send(body.replace(b"1,2", b"9,2"))
            elif running.stall == "error":
                self.send_error(503)
            else:
                self.send(body)

    running = Server(("127.0.0.1", 0), Answers)
    running.stall, running.asked, running.free = "", 0, threading.Event()
    threading.Thread(target=running.serve_forever, daemon=True).start()
    for name in ("_DATA_INFO", "_DATA_FEATURES", "_DATA_QUALITIES"):
        address = getattr(_openml, name).replace("https://www.openml.org", f"http://127.0.0.1:{running.server_port}")
        monkeypatch.setattr(_openml, name, address)
    monkeypatch.setattr(copies, "DATA", tmp_path)
    monkeypatch.setattr(loader, "entry", {"toy": RECORD}.__getitem__)
    monkeypatch.setattr(transport, "READ", 0.5)
    monkeypatch.setattr(transport, "WHOLE", 3.0)
    yield running
    running.free.set()
    running.shutdown()
    running.server_close()


def test_what_comes_is_checked_by_pooch_against_the_sum_of_the_description(server, monkeypatch):
    import pooch

    sums, retrieve = [], pooch.retrieve

    def noted(url, known_hash, **options):
        sums.append(known_hash)
        return retrieve(url, known_hash, **options)

    monkeypatch.setattr(pooch, "retrieve", noted)
    arrays = openml.download(RECORD)
    assert arrays["X"].tolist() == [[1, 2], [3, 4], [5, 6]] and arrays["y"].tolist() == [0, 1, 1]
    assert server.asked == 1
    assert set(sums) == {f"md5:{hashlib.md5(ARFF.encode()).hexdigest()}"}


@pytest.mark.parametrize(
    ("stall", "sentence"),
    [
        ("silent", "127.0.0.1:{} sent nothing for 0.5 s"),
        ("stops", "127.0.0.1:{} sent nothing for 0.5 s"),
        ("drips", "the server had not sent everything after 3 s"),
        ("cut", "127.0.0.1:{}: "),
        ("other", "does not match the known hash"),
        ("error", "503"),
    ],
)
def test_a_server_that_stalls_ends_in_one_sentence_and_leaves_nothing(server, tmp_path, capsys, stall, sentence):
    server.stall = stall
    begun, opener = time.monotonic(), urllib.request._opener
    code = cli._fetch(type("arguments", (), {"name": "toy"}))
    assert time.monotonic() - begun < 20 and code == 1
    said = capsys.readouterr().out
    assert re.search(f"The last try failed: .*{sentence.format(server.server_port)}", said), said
    assert server.asked == (2 if stall in ("other", "error") else 1)
    assert "Traceback" not in said and len(said.splitlines()) <= 3
    assert not list(tmp_path.rglob("*")) and urllib.request._opener is opener


def test_a_set_without_a_recorded_hash_says_so(server, capsys, monkeypatch):
    assert cli._fetch(type("arguments", (), {"name": "toy"})) == 0
    assert "No hash of toy is on record" in capsys.readouterr().out
    data = loader.load("toy")
    assert not data.recorded and "No hash of toy is on record" in data.DESCR
    monkeypatch.setattr(loader, "entries", lambda: {"toy": RECORD})
    assert cli._verify(None) == 0
    assert "toy" in capsys.readouterr().out.splitlines()[0]


def test_a_connection_that_is_not_answered_has_a_limit_too(server, monkeypatch):
    asked = {}

    def get(url, **options):
        asked.update(options)
        raise OSError("enough")

    monkeypatch.setattr("requests.get", get)
    with pytest.raises(openml.DownloadError, match="enough"):
        openml.download(RECORD)
    assert asked["timeout"] == (transport.CONNECT, transport.READ) and transport.CONNECT <= 30
