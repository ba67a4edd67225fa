"""A decoded Configuration with the defaults that validation looks at, read as v1beta2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final

from kohort.dataclass import dataclass
from kohort.objects.configuration.gates import enabled
from kohort.objects.durations import MINUTE, parse_duration
from kohort.objects.versions import version_key

DEFAULT_NAMESPACE: Final = "kueue-system"
DEFAULT_FRAMEWORKS: Final = ("batch/job",)
_TIMEOUT_DEFAULTED: Final = (0, 19)  # `waitForPodsReady: {}` is complete, and absence turns it on
_BOTH_STRATEGIES: Final = ("LessThanOrEqualToFinalShare", "LessThanInitialShare")


@dataclass(frozen=True, slots=True)
class Document:
    """One configuration whose decoding found no fault."""

    data: Mapping[str, Any]
    api: str
    kueue: str
    gates: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        """Take the gates out once."""
        object.__setattr__(self, "gates", mapping(self.data.get("featureGates")))

    def at(self, *path: str) -> Any:
        """The value at a path of mappings, None where a step is absent."""
        value: Any = self.data
        for step in path:
            value = mapping(value).get(step)
        return value

    def since(self, *version: int) -> bool:
        """Whether this version of Kueue is at least `version`."""
        return version_key(self.kueue)[: len(version)] >= version

    def gate(self, name: str) -> bool:
        """Whether a feature gate is on."""
        return enabled(name, self.gates, self.kueue)

    @property
    def namespace(self) -> str:
        """Kueue's own namespace."""
        value = self.data.get("namespace")
        return value if isinstance(value, str) else DEFAULT_NAMESPACE

    @property
    def frameworks(self) -> list[str]:
        """The integrations that are on."""
        chosen = [name for name in items(self.at("integrations", "frameworks")) if isinstance(name, str)]
        return chosen or list(DEFAULT_FRAMEWORKS)

    @property
    def selector(self) -> Mapping[str, Any]:
        """Which namespaces' jobs are managed."""
        value = self.data.get("managedJobsNamespaceSelector")
        if isinstance(value, Mapping):
            return value
        values = ["kube-system", self.namespace]
        return {
            "matchExpressions": [
                {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": values}
            ]
        }

    @property
    def wait_for_pods_ready(self) -> Mapping[str, Any] | None:
        """The block, an empty one where it is on by default, None where it is off."""
        if self.gate("DisableWaitForPodsReady"):
            return None
        block = self.data.get("waitForPodsReady")
        if self.api == "v1beta1":
            return block if isinstance(block, Mapping) and block.get("enable") is True else None
        if isinstance(block, Mapping):
            return block
        return {} if self.since(*_TIMEOUT_DEFAULTED) else None

    def timeout(self, block: Mapping[str, Any]) -> int:
        """The timeout of the block in nanoseconds, 0 where the manager would miss it."""
        value = block.get("timeout")
        given = parse_duration(value) if isinstance(value, str) else None
        if self.api == "v1beta1":
            return 5 * MINUTE if given is None else given
        return given or (30 * MINUTE if self.since(*_TIMEOUT_DEFAULTED) else 0)

    @property
    def strategies(self) -> tuple[str, ...] | None:
        """Preemption strategies of fair sharing, None where it is off."""
        block = self.data.get("fairSharing")
        if not isinstance(block, Mapping) or (self.api == "v1beta1" and block.get("enable") is not True):
            return None
        chosen = tuple(str(word) for word in items(block.get("preemptionStrategies")))
        return chosen or (_BOTH_STRATEGIES if self.api == "v1beta1" else ())


def mapping(value: Any) -> Mapping[str, Any]:
    """The value where it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str:
    """The value where it is text, else an empty one."""
    return value if isinstance(value, str) else ""
