"""Ports of 127.0.0.1: which are free, and who listens on one that is not."""

from __future__ import annotations

import socket
from pathlib import Path

from kohort.lab.failure import LabError

_LISTENS = "0A"  # state in /proc/net/tcp


def free_ports(count: int) -> list[int]:
    """Return so many different ports of 127.0.0.1 that nobody listens on at the moment."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def require_port(port: int, use: str) -> None:
    """Check that a fixed port is free on all interfaces.

    Raises:
        LabError: it is taken; says for what it is needed and, where the system tells, by whom it is held.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError as error:
            raise LabError(f"{use} needs port {port}, which is taken by {listener(port)}") from error


def listener(port: int) -> str:
    """Say which process listens on a port, as far as this user may know."""
    sockets = {
        name for table in ("tcp", "tcp6") for name in _sockets(Path("/proc/thread-self/net") / table, port)
    }
    for folder in Path("/proc").glob("[0-9]*/fd"):
        try:
            held = any(str(each.readlink()) in sockets for each in folder.iterdir())
            name = (folder.parent / "comm").read_text(encoding="utf-8").strip()
        except OSError:
            continue
        if held:
            return f"process {folder.parent.name} ({name})"
    return "a process that this user may not see"


def _sockets(table: Path, port: int) -> list[str]:
    try:
        lines = table.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return []
    rows = [line.split() for line in lines]
    return [f"socket:[{row[9]}]" for row in rows if row[3] == _LISTENS and int(row[1][-4:], 16) == port]
