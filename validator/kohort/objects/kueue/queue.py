"""A typed view of a ClusterQueue in either served version."""

from __future__ import annotations

from dataclasses import field

from kohort.dataclass import dataclass
from kohort.objects.kube import Json, KubeObject, mappings
from kohort.objects.kueue.quota import ResourceGroup, ResourceQuota, read_groups
from kohort.objects.quantity import Quantity, QuantityError


@dataclass(frozen=True, slots=True)
class Preemption:
    """`spec.preemption` with Kueue's defaults filled in."""

    reclaim_within_cohort: str = "Never"
    within_cluster_queue: str = "Never"
    borrow_within_cohort: str = "Never"
    max_priority_threshold: int | None = None


@dataclass(frozen=True, slots=True)
class ClusterQueue:
    """A ClusterQueue as its server would read it; `cohort` is empty without one."""

    obj: KubeObject
    name: str
    cohort: str
    cohort_field: str  # the name of the field in this API version: cohortName or cohort
    groups: tuple[ResourceGroup, ...]
    strategy: str
    stop_policy: str
    namespace_selector: Json  # None selects nothing, {} everything
    preemption: Preemption
    when_can_borrow: str
    when_can_preempt: str
    preference: str
    checks: tuple[
        tuple[str, tuple[str, ...]], ...
    ]  # (admission check, flavors it is limited to; none means all)
    weight: Quantity | None
    _index: dict[tuple[str, str], ResourceQuota] = field(default_factory=dict)

    def quota(self, flavor: str, resource: str) -> ResourceQuota | None:
        """The quota of one flavor and resource, None where the queue does not list the pair."""
        return self._index.get((flavor, resource))

    @property
    def quotas(self) -> dict[tuple[str, str], ResourceQuota]:
        """Every (flavor, resource) of the queue in file order; of duplicates the first counts."""
        return self._index

    @property
    def flavors(self) -> tuple[str, ...]:
        """Names of the flavors in order of mention."""
        return tuple(dict.fromkeys(f.flavor for g in self.groups for f in g.flavors))

    @property
    def covered(self) -> frozenset[str]:
        """All resources the queue covers."""
        return frozenset(c for g in self.groups for c in g.covered)


def index_quotas(groups: tuple[ResourceGroup, ...]) -> dict[tuple[str, str], ResourceQuota]:
    """(flavor, resource) → quota over all groups."""
    index: dict[tuple[str, str], ResourceQuota] = {}
    for group in groups:
        for flavor in group.flavors:
            for quota in flavor.resources:
                index.setdefault((flavor.flavor, quota.resource), quota)
    return index


# Words of flavorFungibility in v1beta1 → what v1beta2 calls them.
OLD_POLICIES = {"Borrow": "MayStopSearch", "Preempt": "MayStopSearch"}


def read_cluster_queue(obj: KubeObject) -> ClusterQueue:
    """The typed view; fields of a wrong shape read as absent."""
    cohort_field = "cohort" if obj.version == "v1beta1" else "cohortName"
    groups = read_groups(obj)
    return ClusterQueue(
        obj=obj,
        name=obj.name,
        cohort=text(obj.get("spec", cohort_field), ""),
        cohort_field=cohort_field,
        groups=groups,
        strategy=text(obj.get("spec", "queueingStrategy"), "BestEffortFIFO"),
        stop_policy=text(obj.get("spec", "stopPolicy"), "None"),
        namespace_selector=obj.get("spec", "namespaceSelector"),
        preemption=_read_preemption(obj),
        when_can_borrow=_policy(obj.get("spec", "flavorFungibility", "whenCanBorrow"), "MayStopSearch"),
        when_can_preempt=_policy(obj.get("spec", "flavorFungibility", "whenCanPreempt"), "TryNextFlavor"),
        preference=text(obj.get("spec", "flavorFungibility", "preference"), ""),
        checks=_read_checks(obj),
        weight=read_weight(obj),
        _index=index_quotas(groups),
    )


def text(value: Json, default: str) -> str:
    """The value if it is a non-empty text, else the default."""
    return value if isinstance(value, str) and value else default


def read_weight(obj: KubeObject) -> Quantity | None:
    """`spec.fairSharing.weight`; 1 when `fairSharing` is given without it, None without `fairSharing`."""
    sharing = obj.get("spec", "fairSharing")
    if not isinstance(sharing, dict):
        return None
    try:
        return Quantity.parse(1 if sharing.get("weight") is None else sharing["weight"])
    except QuantityError:
        return None


def _policy(value: Json, default: str) -> str:
    chosen = text(value, default)
    return OLD_POLICIES.get(chosen, chosen)


def _read_preemption(obj: KubeObject) -> Preemption:
    threshold = obj.get("spec", "preemption", "borrowWithinCohort", "maxPriorityThreshold")
    return Preemption(
        text(obj.get("spec", "preemption", "reclaimWithinCohort"), "Never"),
        text(obj.get("spec", "preemption", "withinClusterQueue"), "Never"),
        text(obj.get("spec", "preemption", "borrowWithinCohort", "policy"), "Never"),
        threshold if isinstance(threshold, int) and not isinstance(threshold, bool) else None,
    )


def _read_checks(obj: KubeObject) -> tuple[tuple[str, tuple[str, ...]], ...]:
    checks: list[tuple[str, tuple[str, ...]]] = []
    old = obj.get("spec", "admissionChecks")
    if isinstance(old, list):
        checks += [(name, ()) for name in old if isinstance(name, str)]
    for _, rule in mappings(obj.get("spec", "admissionChecksStrategy", "admissionChecks")):
        flavors = rule.get("onFlavors")
        names = tuple(f for f in flavors if isinstance(f, str)) if isinstance(flavors, list) else ()
        if isinstance(rule.get("name"), str):
            checks.append((rule["name"], names))
    return tuple(checks)
