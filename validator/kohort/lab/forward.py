"""A door from this machine's loopback to one port of a private network."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kohort.lab.network import Network

_CHUNK = 65536


class Forward:
    """Listens on a free port of 127.0.0.1 and passes every connection on.

    Attributes:
        port: where it listens.
    """

    def __init__(self, network: Network, target: int) -> None:
        self._network = network
        self._target = target
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True, name=f"forward-{target}").start()

    def close(self) -> None:
        """Listen no longer; connections that are open end with their programs."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                outer, _ = self._socket.accept()
            except OSError:
                return
            try:
                with self._network.inside():
                    inner = socket.create_connection(("127.0.0.1", self._target), timeout=10)
                inner.settimeout(None)
            except OSError:
                outer.close()
                continue
            threading.Thread(target=_join, args=(outer, inner), daemon=True).start()


def _join(outer: socket.socket, inner: socket.socket) -> None:
    back = threading.Thread(target=_pass_on, args=(inner, outer), daemon=True)
    back.start()
    _pass_on(outer, inner)
    back.join()
    outer.close()
    inner.close()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(_CHUNK):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
