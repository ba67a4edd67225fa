"""Files that people name are read up to a size, pipes and devices as they come."""

import contextlib
import os
import threading

import pytest

from kohort.source.bounded import read_bounded


def test_a_file_of_the_largest_size_is_read_and_one_byte_more_is_not(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(b"x" * (2 << 20))
    assert read_bounded(file, 2 << 20) == b"x" * (2 << 20)
    with pytest.raises(OSError, match="it is larger than 1 MiB") as told:
        read_bounded(file, (2 << 20) - 1)
    assert told.value.filename == str(file)


def test_a_device_may_be_empty_and_need_not_end():
    assert read_bounded("/dev/null") == b""
    with pytest.raises(OSError, match="it is larger than 64 MiB"):
        read_bounded("/dev/zero")


@pytest.mark.parametrize(("size", "fits"), [(3_000_000, True), (3_000_001, False)])
def test_pipes_are_read_to_their_end_or_to_the_bound(tmp_path, size, fits):
    pipe = tmp_path / "p"
    os.mkfifo(pipe)

    def write():
        with contextlib.suppress(BrokenPipeError):  # where the reader has seen enough
            pipe.write_bytes(b"y" * size)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    if fits:
        assert read_bounded(pipe, 3_000_000) == b"y" * size
    else:
        with pytest.raises(OSError, match="it is larger than 2 MiB"):
            read_bounded(pipe, 3_000_000)
    writer.join(10)
    assert not writer.is_alive()
