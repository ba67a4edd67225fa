"""Where the lab's programs listen: a network namespace of their own, or this machine's loopback.

A private namespace exists as long as a program or an open file belongs to it, so
it vanishes with the process that made it and nothing has to be cleaned up.
Only the thread that asks for something inside is moved, and only meanwhile.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from kohort.lab.failure import LabError

if TYPE_CHECKING:
    from collections.abc import Iterator

CHOICE: Final = "KOHORT_LAB_NETWORK"
CHOICES: Final = ("auto", "private", "loopback")
_CLONE_NEWNET: Final = 0x40000000
_HERE: Final = "/proc/thread-self/ns/net"
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1  # ioctl numbers and the flag of netdevice(7)
_LIBC = ctypes.CDLL(None, use_errno=True)


class Network:
    """One place to listen.

    Attributes:
        private: True when it is a namespace of its own.
    """

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor
        self.private = descriptor is not None

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Let this thread open sockets in the namespace; other threads stay where they are."""
        if self._descriptor is None:
            yield
            return
        here = os.open(_HERE, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _enter(self._descriptor)
            try:
                yield
            finally:
                _enter(here)
        finally:
            os.close(here)

    def enter(self) -> None:
        """Move this process for good; for a child between fork and exec."""
        if self._descriptor is not None:
            _enter(self._descriptor)

    def close(self) -> None:
        """Let go of the namespace; it ends with its last program."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def open_network(choice: str | None = None) -> Network:
    """Return a private namespace where the system allows it, else this machine's loopback.

    Args:
        choice: `private`, `loopback` or `auto`; the environment's `KOHORT_LAB_NETWORK`, else `auto`.

    Raises:
        LabError: the choice is unknown, or `private` and the system refuses it.
    """
    wanted = choice or os.environ.get(CHOICE) or "auto"
    if wanted not in CHOICES:
        raise LabError(f"{CHOICE} is {wanted!r}; it may be {', '.join(CHOICES)}")
    if wanted == "loopback":
        return Network(None)
    try:
        return Network(_make())
    except OSError as error:
        if wanted == "private":
            raise LabError(
                f"this system allows no network namespace ({error.strerror}): run as root, "
                "below `unshare --net --map-root-user`, or choose loopback"
            ) from error
        return Network(None)


def _make() -> int:
    """Make a namespace with loopback up; return a descriptor that keeps it alive."""
    result: list[int] = []
    failure: list[OSError] = []

    def make() -> None:
        # In a thread of its own, which ends there: nothing has to be moved back.
        try:
            _checked(_LIBC.unshare(_CLONE_NEWNET))
            descriptor = os.open(_HERE, os.O_RDONLY | os.O_CLOEXEC)
            try:
                _raise_loopback()
            except OSError:
                os.close(descriptor)
                raise
            result.append(descriptor)
        except OSError as error:
            failure.append(error)

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return result[0]


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(any_socket, _GET_FLAGS, request))[1]
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", flags | _UP))


def _enter(descriptor: int) -> None:
    _checked(_LIBC.setns(descriptor, _CLONE_NEWNET))


def _checked(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
