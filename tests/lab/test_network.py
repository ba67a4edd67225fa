"""Private networks, doors into them, ports, and whose turn it is without them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kohort.lab.failure import LabError
from kohort.lab.forward import Forward
from kohort.lab.network import CHOICE, Network, open_network
from kohort.lab.ports import free_ports, listener, require_port
from kohort.lab.process import Process
from kohort.lab.turn import Turn


@pytest.fixture
def private() -> Iterator[Network]:
    network = open_network("auto")
    if not network.private:
        pytest.skip("this system allows no network namespace")
    yield network
    network.close()


def test_two_labs_may_use_the_same_port(private: Network) -> None:
    other = open_network("private")
    listening = []
    for network in (private, other):
        with network.inside():
            port = listening[0].getsockname()[1] if listening else 0
            listening.append(socket.create_server(("127.0.0.1", port)))
    assert listening[0].getsockname() == listening[1].getsockname()
    other.close()
    for each in listening:
        each.close()


def test_only_the_asking_thread_is_inside_and_comes_back(private: Network) -> None:
    def where() -> str:
        return str(Path("/proc/thread-self/ns/net").readlink())

    outside, seen, moved = where(), [], threading.Event()

    def look() -> None:
        moved.wait(10)
        seen.append(where())

    thread = threading.Thread(target=look)
    thread.start()
    with private.inside():
        inside = where()
        moved.set()
        thread.join()
        with private.inside():
            assert where() == inside
    assert where() == outside != inside
    assert seen == [outside]


def test_a_program_inside_is_reached_by_a_door_only(private: Network, tmp_path: Path) -> None:
    with private.inside():
        port = free_ports(1)[0]
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "-d", str(tmp_path)]
    (tmp_path / "hello").write_text("from inside")
    process = Process("server", command, tmp_path / "log", network=private)

    def ready() -> bool:
        with private.inside(), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True

    try:
        process.wait_until(ready, 20)
        door = Forward(private, port)
        with socket.create_connection(("127.0.0.1", door.port), timeout=5) as asking:
            asking.sendall(b"GET /hello HTTP/1.0\r\n\r\n")
            answer = b"".join(iter(lambda: asking.recv(4096), b""))
        assert answer.endswith(b"from inside")
        door.close()
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", door.port), timeout=1)
    finally:
        process.kill()


def test_a_system_without_namespaces_falls_back_and_says_so_when_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("kohort.lab.network._make", refuse)
    assert not open_network("auto").private
    with pytest.raises(
        LabError, match=r"allows no network namespace \(Operation not permitted\): run as root"
    ):
        open_network("private")


def test_the_environment_chooses_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOICE, "loopback")
    assert not open_network().private
    monkeypatch.setenv(CHOICE, "bridge")
    with pytest.raises(LabError, match="KOHORT_LAB_NETWORK is 'bridge'; it may be auto, private, loopback"):
        open_network()


def test_free_ports_differ() -> None:
    assert len(set(free_ports(20))) == 20


def test_a_taken_port_is_named_with_its_process() -> None:
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(LabError) as caught:
            require_port(port, "AppWrapper's webhook")
        assert str(caught.value).startswith(
            f"AppWrapper's webhook needs port {port}, which is taken by process {os.getpid()} ("
        )
    require_port(port, "AppWrapper's webhook")
    assert listener(port) == "a process that this user may not see"


def test_the_second_lab_waits_for_its_turn(tmp_path: Path) -> None:
    first, second = Turn(tmp_path / "turn"), Turn(tmp_path / "turn")
    lines: list[str] = []
    first.take(0, lines.append)
    threading.Timer(0.5, first.release).start()
    began = time.monotonic()
    second.take(30, lines.append)
    assert 0.3 < time.monotonic() - began < 10
    assert lines == [
        f"another lab runs (process {os.getpid()}, user {os.getuid()}); waiting up to 30 s for it to end"
    ]
    second.release()


def test_a_lab_that_waited_in_vain_says_who_holds_the_port(tmp_path: Path) -> None:
    first, second = Turn(tmp_path / "turn"), Turn(tmp_path / "turn")
    first.take(0, lambda _: None)
    with pytest.raises(
        LabError, match=f"another lab holds this machine's fixed ports: process {os.getpid()}, "
    ):
        second.take(0, lambda _: None)
    first.release()


def test_the_lock_of_a_killed_lab_is_free(tmp_path: Path) -> None:
    path = tmp_path / "turn"
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom kohort.lab.turn import Turn\n"
        "Turn.x = Turn(Path(sys.argv[1])); Turn.x.take(0, print)\nprint('held', flush=True)\ntime.sleep(300)\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    waiting = Turn(path)
    with pytest.raises(LabError, match=f"process {holder.pid}"):
        waiting.take(0, lambda _: None)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    assert f"process {holder.pid}" in path.read_text()  # stale, and nobody minds
    waiting.take(0, lambda _: None)
    waiting.release()


def test_a_lock_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="cannot open the lab's lock"):
        Turn(tmp_path / "absent" / "turn").take(0, lambda _: None)
