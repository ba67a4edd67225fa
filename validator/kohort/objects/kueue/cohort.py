"""A typed view of a Cohort."""

from __future__ import annotations

from dataclasses import field

from kohort.dataclass import dataclass
from kohort.objects.kube import KubeObject
from kohort.objects.kueue.queue import index_quotas, read_weight, text
from kohort.objects.kueue.quota import ResourceGroup, ResourceQuota, read_groups
from kohort.objects.quantity import Quantity


@dataclass(frozen=True, slots=True)
class Cohort:
    """A Cohort object; `parent` is empty for a root."""

    obj: KubeObject
    name: str
    parent: str
    groups: tuple[ResourceGroup, ...]
    weight: Quantity | None
    _index: dict[tuple[str, str], ResourceQuota] = field(default_factory=dict)

    @property
    def quotas(self) -> dict[tuple[str, str], ResourceQuota]:
        """Every (flavor, resource) the cohort itself holds."""
        return self._index


def read_cohort(obj: KubeObject) -> Cohort:
    """The typed view. v1alpha1 named the parent `spec.parent`; it is read so that the tree stays whole."""
    groups = read_groups(obj)
    parent = text(obj.get("spec", "parentName"), "") or text(obj.get("spec", "parent"), "")
    return Cohort(obj, obj.name, parent, groups, read_weight(obj), index_quotas(groups))
