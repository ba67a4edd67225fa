"""Small worlds for the tests of flavor assignment: queues, cohorts and flavors from short words."""

from __future__ import annotations

from kohort.objects.kube import KubeObject, Typed
from kohort.objects.kueue import read_cluster_queue, read_cohort, read_flavor
from kohort.semantics.assignment import Mode
from kohort.semantics.gates import gates
from kohort.semantics.settings import Settings
from kohort.semantics.state import State
from kohort.semantics.work import PodSetAsk, Work


def kube(kind, name, spec):
    data = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, "spec": spec}
    return KubeObject(data["apiVersion"], kind, name, "", data, Typed("t.yaml"))


def group(*flavors, covers=("cpu",)):
    """A resource group; a flavor is (name, {resource: nominal or (nominal, borrowing, lending)})."""
    return {
        "coveredResources": list(covers),
        "flavors": [
            {"name": name, "resources": [_quota(resource, amounts[resource]) for resource in covers]}
            for name, amounts in flavors
        ],
    }


def _quota(resource, amount):
    nominal, borrowing, lending = amount if isinstance(amount, tuple) else (amount, None, None)
    quota = {"name": resource, "nominalQuota": nominal}
    if borrowing is not None:
        quota["borrowingLimit"] = borrowing
    if lending is not None:
        quota["lendingLimit"] = lending
    return quota


def queue(name, *groups, cohort="", fungibility=None, preemption=None, **more):
    spec = {"resourceGroups": list(groups), **more}
    if cohort:
        spec["cohortName"] = cohort
    if fungibility:
        spec["flavorFungibility"] = fungibility
    if preemption:
        spec["preemption"] = preemption
    return read_cluster_queue(kube("ClusterQueue", name, spec))


def cohort(name, *groups, parent=""):
    return read_cohort(
        kube("Cohort", name, {"resourceGroups": list(groups)} | ({"parentName": parent} if parent else {}))
    )


def flavor(name, **spec):
    return read_flavor(kube("ResourceFlavor", name, spec))


def world(*members, kueue="0.19.1", topologies=None, on=None, **settings):
    """A state of these queues, cohorts and flavors; flavors that are only named in quota exist without anything."""
    state = State(Settings(kueue=kueue, gates=gates(kueue, on), **settings), topologies=topologies or {})
    for member in members:
        kind = member.obj.kind
        table = {"ClusterQueue": state.specs, "Cohort": state.cohorts, "ResourceFlavor": state.flavors}[kind]
        table[member.name] = member
    groups = [each.groups for each in state.specs.values()] + [each.groups for each in state.cohorts.values()]
    for group_ in groups:
        for each in group_:
            for quota in each.flavors:
                state.flavors.setdefault(quota.flavor, flavor(quota.flavor))
    state.rebuild()
    return state


def ask(count=1, name="main", pod=None, **requests):
    """A pod set; requests in units of cores for cpu, else as they are."""
    amounts = {
        key.replace("_", "/"): units * 1000 if key == "cpu" else units for key, units in requests.items()
    }
    return PodSetAsk(name, count, amounts, pod=pod or {})


def job(*asks, key="blue/job", **fields):
    return Work(key, "main", tuple(asks), **fields)


def use(state, name, flavor_name, **units):
    """Usage that is simply there."""
    state.queues[name].add(
        {(flavor_name, r): amount * 1000 if r == "cpu" else amount for r, amount in units.items()}
    )


class Says:
    """An oracle that answers from a table: (flavor, resource) → (mode, borrow)."""

    def __init__(self, table=None, default=(Mode.NO_CANDIDATES, 0)):
        self.table = table or {}
        self.default = default
        self.asked = []

    def simulate(self, work, queue, pair, units, state):
        self.asked.append((pair, units))
        return self.table.get(pair, self.default)


def chosen(assignment, podset=0):
    """Resource → flavor of one pod set."""
    return {resource: choice.flavor for resource, choice in assignment.podsets[podset].flavors.items()}
