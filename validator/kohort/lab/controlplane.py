"""A control plane of ordinary processes that lives as long as a `with` block."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any, Self

from kohort.lab import identities
from kohort.lab.applications import Applications
from kohort.lab.apply import Applier
from kohort.lab.build import build, to_stderr
from kohort.lab.certificates import Authority
from kohort.lab.client import Client
from kohort.lab.components import COMPONENTS, with_needs
from kohort.lab.disk import told
from kohort.lab.failure import LabError
from kohort.lab.forward import Forward
from kohort.lab.network import open_network
from kohort.lab.nodes import Nodes
from kohort.lab.patience import stretched
from kohort.lab.ports import free_ports
from kohort.lab.process import Process
from kohort.lab.settings import Settings
from kohort.lab.turn import Turn
from kohort.lab.workspace import Workspace, scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from kohort.lab.build import Report
    from kohort.lab.client import Answer
    from kohort.lab.network import Network

_SECONDS = 120.0  # patience with each component; a busy machine needs most of a minute
_TURN = 600.0  # patience with another lab on the same loopback; a demo takes less
_PORTS = 32


class ControlPlane:
    """A Kubernetes control plane with Kueue and friends as ordinary processes.

    In a private network namespace where the system allows it; else everything
    listens on 127.0.0.1 at free ports, but for AppWrapper's webhook (port 9443 on
    all interfaces, so one lab at a time) and Argo CD's metrics (all interfaces).
    Each program has its own token, so that roles are in force for it. All of them
    end with the block, or with the process that started them.

    Attributes:
        components: names of what runs, in the order of start.
        settings: configuration of the components.
        client: speaks to the API server as an administrator.
        nodes: adds fake nodes and lets things happen to them.
        argo: makes Git repositories and asks Argo CD about its applications.
        server: the API server's address inside the lab's network.
        network: where the programs listen.
        folder: scratch folder with the logs, `NAME.log`.
        seconds: how long after the start each component was ready.
        authority: the lab's certificate authority.
        identities: who may speak to the API server, by component name.
        programs: path of each built program.
    """

    client: Client
    folder: Path
    network: Network
    nodes: Nodes
    argo: Applications
    programs: dict[str, Path]
    authority: Authority
    identities: dict[str, identities.Identity]

    def __init__(
        self,
        components: Sequence[str] = ("kueue",),
        *,
        settings: Settings | None = None,
        kueue_configuration: Mapping[str, Any] | None = None,
        appwrapper_configuration: Mapping[str, Any] | None = None,
        network: str | None = None,
        cache: Path | None = None,
        report: Report = to_stderr,
    ) -> None:
        """Prepare; nothing starts before the block is entered.

        Args:
            components: names out of `COMPONENTS`; what they need is added.
            settings: configuration of the components, for example `Compiled.settings`.
            kueue_configuration: top-level fields of Kueue's Configuration to replace.
            appwrapper_configuration: fields of the section `appwrapper` of its configuration.
            network: `private`, `loopback` or `auto`; see `open_network`.
            cache: folder of built programs.
            report: receives lines of progress: what is built, and whom this lab waits for.

        Raises:
            LabError: a component is unknown.
        """
        self.components = with_needs(components)
        self.settings = (settings or Settings()).replaced(kueue_configuration, appwrapper_configuration)
        self.cache = cache
        self.seconds: dict[str, float] = {}
        self._choice = network
        self.report = report
        self._turn = Turn()
        self._starts: dict[str, Callable[[], Process]] = {}
        self._ready: dict[str, Callable[[], bool]] = {}
        self._processes: dict[str, Process] = {}
        self._ports: dict[str, int] = {}
        self._forwards: dict[int, Forward] = {}

    def __enter__(self) -> Self:
        with told(scratch(), "TMPDIR"):
            self._start()
        return self

    def _start(self) -> None:
        parts = [COMPONENTS[name] for name in self.components]
        families = sorted({part.family for part in parts if part.family})
        self.programs = build(families, cache=self.cache, report=self.report)
        self.network = open_network(self._choice)
        try:
            if not self.network.private and any(part.fixed_port for part in parts):
                self._turn.take(_TURN, self.report)
            self._workspace = Workspace()
        except BaseException:
            self._let_go()
            raise
        self._began = time.monotonic()
        self.folder = self._workspace.folder
        try:
            with self.network.inside():
                self._free = iter(free_ports(_PORTS))
            self.authority = Authority(self.folder / "certificates")
            self.identities = {"admin": identities.admin()}
            self.identities.update({part.name: part.identity() for part in parts if part.identity})
            self.server = f"https://127.0.0.1:{self.port('apiserver')}"
            self.client = self.client_of("admin")
            self.nodes = Nodes(self.client)
            self.argo = Applications(self.client, self.folder)
            for part in parts:
                part.start(self)
            for name in self._processes:
                if name not in self.seconds:
                    self._await(name)
        except BaseException as error:
            self._end(error)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(error)

    def request(
        self, method: str, path: str, body: object = None, parameters: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request as the administrator; see `Client.request`."""
        return self.client.request(method, path, body, parameters)

    def client_of(self, name: str) -> Client:
        """Return a client that acts as the administrator (`admin`) or as a component."""
        token = self.identities[name].token
        return Client(self.port("apiserver"), self.authority.own.certificate, token, self.network)

    def create(self, objects: Iterable[dict[str, Any]]) -> None:
        """Create objects of any kind; what exists already stays as it is."""
        Applier(self.client).create(objects)

    def apply(self, objects: Iterable[dict[str, Any]]) -> list[str]:
        """Apply objects in the order given, as `kubectl apply --server-side` does; return all warnings."""
        return Applier(self.client).apply(objects)

    def wait_for_definitions(self) -> None:
        """Return when every custom resource definition is established."""
        Applier(self.client).wait_for_definitions(stretched(_SECONDS))

    def port(self, use: str) -> int:
        """Return the port of the lab's 127.0.0.1 that is set aside for a use."""
        if use not in self._ports:
            self._ports[use] = next(self._free)
        return self._ports[use]

    def outside(self, use: str) -> int:
        """Return a port of this machine's 127.0.0.1 that leads to the port of a use."""
        port = self.port(use)
        if not self.network.private:
            return port
        if port not in self._forwards:
            self._forwards[port] = Forward(self.network, port)
        return self._forwards[port].port

    def kubeconfig(self, name: str = "admin", *, outside: bool = False, namespace: str = "default") -> Path:
        """Return a kubeconfig of the administrator or of a component.

        Args:
            name: `admin` or a component's name.
            outside: for programs of this machine, which do not run inside the lab's network.
            namespace: the context's namespace.
        """
        server = f"https://127.0.0.1:{self.outside('apiserver')}" if outside else self.server
        path = self.folder / f"{name}{'-outside' if outside else ''}.kubeconfig"
        return self.identities[name].kubeconfig(server, self.authority.own.certificate, path, namespace)

    def process(self, name: str) -> Process:
        """Return a component's process, for example to kill it.

        Raises:
            LabError: no such process was started.
        """
        if name not in self._processes:
            raise LabError(f"no process named {name!r}; there are {', '.join(self._processes)}")
        return self._processes[name]

    def processes(self) -> dict[str, Process]:
        """Return all processes by name, in the order of their start."""
        return dict(self._processes)

    def restart(self, name: str) -> float:
        """End a component's program if it runs, start it as before, and return after how many seconds it is ready."""
        self.process(name).stop(grace=2.0)
        began, first = time.monotonic(), self.seconds.pop(name)
        self._processes[name] = self._starts[name]()
        self._await(name)
        self.seconds[name] = first
        return time.monotonic() - began

    def run(
        self,
        name: str,
        command: Sequence[str | Path],
        ready: Callable[[], bool],
        environment: Mapping[str, str] | None = None,
        *,
        wait: bool = True,
        folder: Path | None = None,
    ) -> None:
        """Start a component's program.

        Args:
            name: how logs and errors call it.
            command: program and arguments.
            ready: asks it, from inside the lab's network.
            environment: all its variables; this process's when absent.
            wait: return when it is ready; else the lab waits for it at the end of its start.
            folder: where it runs; this process's when absent.

        Raises:
            LabError: it ended, or was not ready in time; names its log.
        """
        log = self._workspace.log(name)
        self._starts[name] = lambda: Process(name, command, log, environment, self.network, folder)
        self._ready[name] = ready
        self._processes[name] = self._starts[name]()
        if wait:
            self._await(name)

    def _await(self, name: str) -> None:
        def ready() -> bool:
            with self.network.inside():
                # Those that nobody waits for yet are asked too, so that each one's time is its own.
                for other in [each for each in self._processes if each not in self.seconds]:
                    with contextlib.suppress(OSError):
                        if self._ready[other]():
                            self._note(other)
                return name in self.seconds or self._ready[name]()

        self._processes[name].wait_until(ready, stretched(_SECONDS))
        self._note(name)

    def _note(self, name: str) -> None:
        self.seconds.setdefault(name, round(time.monotonic() - self._began, 1))

    def _end(self, error: BaseException | None) -> None:
        if hasattr(self, "client"):
            self.client.close()
        for process in reversed(self._processes.values()):
            # The API server waits for open requests of a minute; nothing here is worth that.
            process.stop(grace=2.0)
        self._let_go()
        if error is None:
            self._workspace.remove()
        else:
            error.add_note(f"logs of the lab: {self._workspace.keep_logs()}")

    def _let_go(self) -> None:
        for forward in self._forwards.values():
            forward.close()
        self.network.close()
        self._turn.release()
