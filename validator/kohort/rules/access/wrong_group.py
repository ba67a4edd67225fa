"""A rule of a role names a resource that its API group does not have.

Why:
    RBAC accepts any text. A kind under the wrong group, in singular or with capitals grants nothing, and nobody is told.

Bad:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [batch], resources: [pytorchjobs], verbs: [get]}]

Good:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: member}
    rules: [{apiGroups: [kubeflow.org], resources: [pytorchjobs], verbs: [get]}]

Source:
    API groups of Kubernetes, Kueue 0.19, AppWrapper 1.2, training-operator, KubeRay, JobSet
"""

from __future__ import annotations

from collections.abc import Iterator

from kohort.diagnostics import Consequence, Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.names import visible
from kohort.rules.access.granted import ROLES, grants, is_rbac
from kohort.rules.access.resources import COMPLETE, RESOURCES, base, groups_of
from kohort.rules.base import Rule

_TYPO = 2  # letters more or fewer; a group such as batch.volcano.sh is another one
RULE = Rule("ACC707", "no-such-resource", Consequence.UNSAFE)


@RULE.each(*ROLES)
def check(obj: KubeObject, cluster: Cluster) -> Iterator[Finding]:
    """One finding per resource that none of the rule's groups has; groups that are not known are not judged."""
    if not is_rbac(obj):
        return
    for grant in grants(obj):
        if "*" in grant.groups or not grant.groups:
            continue
        for index, resource in enumerate(grant.resources):
            help_ = _wrong(base(resource), grant.groups)
            if help_:
                groups = visible(", ".join(group or '""' for group in grant.groups)[:120])
                yield RULE.at(
                    obj,
                    (*grant.path, "resources", index),
                    f"{obj.ref}: API group {groups} has no resource {visible(resource[:80])}; the rule grants nothing on it",
                    cluster=cluster,
                    help=(help_,),
                )


def _wrong(resource: str, groups: tuple[str, ...]) -> str:
    """What to write instead, empty where the resource may exist in one of the groups."""
    right = groups_of(resource)
    if resource == "*" or set(right) & {*groups}:
        return ""
    typos = [group for group in groups if group not in RESOURCES]
    close_groups = [
        c for group in typos for c in did_you_mean(group, right) if abs(len(c) - len(group)) <= _TYPO
    ]
    if right and (all(group in RESOURCES for group in groups) or close_groups):
        return (
            f"{resource} are in API group {' or '.join(group or 'the core (empty text)' for group in right)}"
        )
    if right or not all(group in COMPLETE for group in groups):
        return ""
    known = [name for group in groups for name in RESOURCES[group]]
    close = did_you_mean(resource, known)
    return f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(sorted(known))}"
