"""What every test may rely on: no network, no display, and real data from a mirror only where there is one."""

import ipaddress
import os
import socket
from pathlib import Path

import pytest

os.environ["MPLBACKEND"] = "agg"  # before any test imports matplotlib


def _stays_here(address):
    """Whether a socket address is on this machine: a path (Unix socket), loopback, or the name localhost."""
    if not isinstance(address, tuple):
        return True
    host = address[0]
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    """Any attempt to leave this machine is an error, in name lookup as in connecting."""
    lookup, connect, connect_ex = socket.getaddrinfo, socket.socket.connect, socket.socket.connect_ex

    def guarded_lookup(host, *args, **kwargs):
        if host is not None and not _stays_here((host if isinstance(host, str) else host.decode(),)):
            raise OSError(f"tests have no network (lookup of {host})")
        return lookup(host, *args, **kwargs)

    def guarded(method):
        def call(self, address):
            if not _stays_here(address):
                raise OSError(f"tests have no network (connection to {address})")
            return method(self, address)

        return call

    monkeypatch.setattr(socket, "getaddrinfo", guarded_lookup)
    monkeypatch.setattr(socket.socket, "connect", guarded(connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(connect_ex))


@pytest.fixture
def mirror():
    """A function ``mirror(name) -> path`` of NAME.npz in the folder FSLIB_DATA; skips where there is none."""

    def path_of(name):
        folder = os.environ.get("FSLIB_DATA")
        if not folder:
            pytest.skip("FSLIB_DATA, the folder of a local mirror, is not set")
        path = Path(folder, f"{name}.npz")
        if not path.is_file():
            pytest.skip(f"the mirror FSLIB_DATA={folder} has no {path.name}")
        return path

    return path_of
