"""What every test may rely on: no network, no display, and real data from a mirror only where there is one."""

import ipaddress
import os
import socket
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["MPLBACKEND"] = "agg"  # before any test imports matplotlib
# Two workers with a BLAS thread per core each wait for one another: twelve times slower, measured on small fits.
os.environ.update(dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1"))
# The same examples every time, and no clock: a slow machine is not a failure.
settings.register_profile("fslib", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("fslib")

OWN_NAMES = {"", "localhost", socket.gethostname()}


def _is_number(host):
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False


def _is_here(host):
    return host in OWN_NAMES or (_is_number(host) and ipaddress.ip_address(host).is_loopback)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    """Any attempt to leave this machine is an error: looking up a name, or opening a connection."""
    lookup, connect, connect_ex = socket.getaddrinfo, socket.socket.connect, socket.socket.connect_ex

    def guarded_lookup(host, *args, **kwargs):
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and not _is_here(name) and not _is_number(name):
            raise OSError(f"tests have no network (lookup of {name})")
        return lookup(host, *args, **kwargs)

    def guarded(method):
        def call(self, address):
            # A Unix socket has a path for address. "Connecting" a datagram socket sends nothing: dask does so.
            if isinstance(address, tuple) and self.type == socket.SOCK_STREAM and not _is_here(address[0]):
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
