"""Policies of a repository over what stands in it: every team, object, flavor … is asked about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kohort.diagnostics import Finding
from kohort.engine.policed_kinds import kinds_at_fault
from kohort.model.policy import Policy
from kohort.model.repo import Declared, Repo
from kohort.objects.cluster import Cluster
from kohort.objects.kube import KubeObject
from kohort.objects.podsets import podsets
from kohort.planner.view import View, view
from kohort.policy.admission import asked_of_server
from kohort.policy.cel import Evaluator
from kohort.policy.examples import run
from kohort.policy.judge import judge, uncompiled
from kohort.policy.subject import Asked

NOBODY: Mapping[str, Any] = {"name": "", "groups": [], "admin": False, "teams": []}
"""The actor where nobody is known to act."""


def judged_by_policies(repo: Repo, clusters: Mapping[str, Cluster]) -> list[Finding]:
    """`judge_policies` with an evaluator of its own."""
    with Evaluator() as evaluator:
        return list(judge_policies(repo, clusters, evaluator))


def judge_policies(repo: Repo, clusters: Mapping[str, Cluster], evaluator: Evaluator) -> Iterator[Finding]:
    """What the policies say of a repository and its compiled clusters, and which of them cannot be asked.

    Policies on changes are only compiled here: a plan asks them. Policy tests run as well.
    """
    seen = view(repo, clusters)
    evaluator.know("state", {"repository": seen, "actor": dict(NOBODY)})
    for policy in repo.policies.values():
        broken = list(uncompiled(policy, evaluator))
        yield from broken
        yield from kinds_at_fault(policy, repo, clusters)
        if not broken and not policy.change:
            yield from judge(policy, subjects(policy, repo, seen, clusters), evaluator, ("state",))
    for test in repo.policy_tests:
        yield from (ran.finding for ran in run(test, repo.policies, evaluator) if ran.finding is not None)


def subjects(policy: Policy, repo: Repo, seen: View, clusters: Mapping[str, Cluster]) -> Iterable[Asked]:
    """Everything of a repository that the policy is about."""
    if policy.subject == "object":
        return (
            Asked(obj.ref, _of_object(policy, obj, cluster), obj.at(), obj, (name,))
            for name, cluster in clusters.items()
            for kind in policy.kinds
            for obj in cluster.kind(kind)
        )
    if policy.subject == "repository":
        origin = repo.organisation.origin if repo.organisation is not None else policy.origin
        return (Asked("the repository", {}, origin),)
    declared = declarations(repo, policy.subject)
    return (
        Asked(f"{policy.subject} {each['name']}", {policy.subject: each}, declared[each["name"]].origin)
        for each in named(seen, policy.subject).values()
    )


def named(seen: View, subject: str) -> Mapping[str, View]:
    """What a view holds of a kind of subject, by name."""
    found = seen[f"{subject}s"]
    return found if isinstance(found, dict) else {each["name"]: each for each in found}


def _of_object(policy: Policy, obj: KubeObject, cluster: Cluster) -> View:
    """What a policy sees of an object, as the API server would where that is asked too."""
    seen = {"object": obj.data, "cluster": cluster.name, "pods": pods(obj)}
    if policy.admission is None:
        return seen
    namespace = next((each for each in cluster.kind("Namespace") if each.name == obj.namespace), None)
    return {**seen, **asked_of_server(obj.data, namespace.data if namespace is not None else None)}


def pods(obj: KubeObject) -> list[View]:
    """The pod sets of an object, `{name, count, spec}` each, in Kueue's order; none of what has no pods."""
    return [
        {"name": each.name, "count": each.count, "spec": each.template.get("spec", {})}
        for each in podsets(obj.data).found
    ]


def declarations(repo: Repo, subject: str) -> Mapping[str, Declared]:
    """The declarations of a kind of subject by name."""
    found: dict[str, Mapping[str, Declared]] = {
        "team": repo.teams,
        "cohort": repo.cohorts,
        "flavor": repo.flavors,
        "cluster": repo.clusters,
    }
    return found[subject]
