"""Reading one file that a person named, whatever it is: a file that is too large or never ends is an error in words."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

LARGEST: Final = 1 << 30  # of what a person names; the readers of a format may take less
_LARGEST_OF_DEVICE: Final = 64 << 20
_CHUNK: Final = 1 << 20


def read_bounded(path: str | Path, most: int = LARGEST) -> bytes:
    """All bytes of a file or pipe, at most `most`. Raises OSError where there are more.

    Of a device, such as a terminal, far less is taken: some never end.
    """
    with Path(path).open("rb") as opened:
        status = os.fstat(opened.fileno())
        if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
            most = min(most, _LARGEST_OF_DEVICE)
        if status.st_size > most:
            raise _too_large(path, most)
        found = bytearray()
        while chunk := opened.read(_CHUNK):
            found += chunk
            if len(found) > most:  # a pipe, or a file that grows meanwhile
                raise _too_large(path, most)
    return bytes(found)


def _too_large(path: str | Path, most: int) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {most >> 20:,} MiB", str(path))
