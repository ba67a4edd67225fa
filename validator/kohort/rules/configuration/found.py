"""Configurations of Kueue's manager among the objects: given as they are, or as a file inside a ConfigMap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.objects.cluster import Cluster
from kohort.objects.configuration.document import Document
from kohort.objects.configuration.fault import Fault, Reason
from kohort.objects.configuration.judge import GROUP, api_of, judge, read_text
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.base import Rule
from kohort.spans import Origin, Part, Path, show_path

# the file name that Kueue's own manifests give the configuration, and the ConfigMap's name
_KEY, _MAP = "controller_manager_config.yaml", "kueue-manager-config"
KINDS = ("Configuration", "ConfigMap")


@dataclass(frozen=True, slots=True)
class Found:
    """One configuration: `key` is the key of the ConfigMap's data that holds it, empty for a plain object."""

    obj: KubeObject
    key: str
    value: Any
    faults: tuple[Fault, ...]
    kueue: str

    @property
    def name(self) -> str:
        """How people name it."""
        return f"{self.obj.ref}, {self.key}" if self.key else "Configuration"

    @property
    def document(self) -> Document | None:
        """The decoded document where the manager starts with it."""
        if self.faults or not isinstance(self.value, Mapping):
            return None
        return Document(self.value, api_of(self.value), self.kueue)

    def place(self, path: Path, part: Part = "value") -> Origin:
        """Where a field was typed: itself, or the key of the ConfigMap that holds the file."""
        return self.obj.at("data", self.key, part="key") if self.key else self.obj.at(*path, part=part)

    def finding(self, rule: Rule, path: Path, message: str, cluster: Cluster, **more: Any) -> Finding:
        """A finding of a rule about a field of the configuration."""
        part: Part = more.pop("part", "value")
        return rule.finding(
            visible(f"{self.name}: {message}"),
            self.place(path, part),
            subject=self.obj.ref if self.key else "Configuration",
            field_path=show_path(path),
            cluster=cluster,
            **more,
        )


def found_in(obj: KubeObject, cluster: Cluster) -> list[Found]:
    """The configurations that an object is or holds, judged once."""
    found: list[Found] | None = obj.memo.get("configurations")
    if found is None:
        found = obj.memo["configurations"] = list(_find(obj, cluster.kueue))
    return found


def _find(obj: KubeObject, kueue: str) -> Iterator[Found]:
    if obj.group == GROUP:
        yield Found(obj, "", obj.data, tuple(judge(obj.data, kueue)), kueue)
    data = obj.get("data")
    if obj.kind != "ConfigMap" or obj.group or not isinstance(data, Mapping):
        return
    for key, text in data.items():
        if not isinstance(text, str) or not _may_hold(obj, str(key), text):
            continue
        value, faults = read_text(text)
        is_one = isinstance(value, Mapping) and str(value.get("apiVersion")).partition("/")[0] == GROUP
        if is_one or (obj.name == _MAP and key == _KEY):
            yield Found(obj, str(key), value, tuple(faults or judge(value, kueue)), kueue)


def _may_hold(obj: KubeObject, key: str, text: str) -> bool:
    return GROUP in text or (obj.name == _MAP and key == _KEY)


def everywhere(cluster: Cluster) -> list[Found]:
    """Every configuration of a cluster with which the manager starts."""
    return [found for kind in KINDS for obj in cluster.kind(kind) for found in found_in(obj, cluster)]


def refusals(rule: Rule, obj: KubeObject, cluster: Cluster, reason: Reason) -> Iterator[Finding]:
    """One finding per fault of a kind."""
    for found in found_in(obj, cluster):
        for fault in found.faults:
            if fault.reason == reason:
                path = show_path(fault.path)
                message = f"{path}: {fault.message}" if path else fault.message
                part: Part = "key" if reason == "field" else "value"
                yield found.finding(rule, fault.path, message, cluster, part=part, help=fault.help)
