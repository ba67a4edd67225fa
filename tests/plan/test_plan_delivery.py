"""What Argo CD reads beside its manifests is compiled output as well: a plan tells its changes."""

from __future__ import annotations

from planned import planned
from wide_world import WIDE

CLUSTER, BLUE = "clusters/pokprod/cluster.yaml", "teams/blue/team.yaml"
FILES = {name: text for name, text in WIDE.items() if not name.startswith("ci/policies/")}


def told(file, old, new):
    assert FILES[file].count(old) == 1
    plan = planned({**FILES, file: FILES[file].replace(old, new)}, FILES).plan
    return {(str(one.ref), one.how, field.path) for one in plan.objects for field in one.fields}


def test_pruning_that_is_turned_off_is_no_empty_plan():
    automated = "spec.syncPolicy.automated.prune"
    assert told(CLUSTER, "prune: true", "prune: false") == {
        ("Application argocd/kohort-pokprod", "changed", automated),
        ("Application argocd/kohort-pokprod-platform", "changed", automated),
        ("ApplicationSet argocd/kohort-pokprod-work", "changed", f"spec.template.{automated}"),
    }


def test_a_team_with_another_namespace_may_deliver_there():
    where = "spec.destinations[https://kubernetes.default.svc blue-x]"
    assert ("AppProject argocd/kohort-pokprod-team-blue", "changed", where) in told(
        BLUE, "[blue, blue-lab]", "[blue, blue-lab, blue-x]"
    )
