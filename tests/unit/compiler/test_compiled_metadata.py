"""What every emitted object carries: source, owner, wave, options; and the order that waves give (case 75)."""

import itertools
import re

ARGO = ("  slack:", "  argo: {repoURL: 'https://git.example.com/x.git'}\n  slack:")
WAVE, OPTIONS, SOURCE = "argocd.argoproj.io/sync-wave", "argocd.argoproj.io/sync-options", "kohort.dev/source"
PRIORITY = """
# file: queues/p.yaml
apiVersion: kohort.dev/v1alpha1
kind: Priority
metadata: {name: high}
spec: {value: 10, pods: true}
"""


def objects(result):
    return [obj for some in result.files.values() for obj in some]


def test_every_object_says_where_it_comes_from_who_made_it_and_when_it_is_applied(compile_repo):
    found = objects(compile_repo(change=ARGO, more=PRIORITY))
    assert len(found) > 30
    for obj in found:
        notes = obj.annotations()
        assert re.fullmatch(r"(clusters|teams|queues)/[a-z/.]+(#spec[A-Za-z.\[\]0-9]*)?", notes[SOURCE]), (
            obj.ref
        )
        assert re.fullmatch(r"-?[0-9]+", notes[WAVE]), obj.ref
        assert obj.labels()["app.kubernetes.io/managed-by"] == "kohort"
        assert obj.compiled
        assert obj.at().file == notes[SOURCE].split("#")[0]


def test_source_names_the_path_of_the_declaration(base):
    assert (
        base.get("ClusterQueue", "blue-train").annotations()[SOURCE] == "teams/blue/team.yaml#spec.queues[0]"
    )
    assert (
        base.get("Namespace", "blue-dev").annotations()[SOURCE] == "teams/blue/team.yaml#spec.namespaces[1]"
    )


def test_waves_follow_what_refers_to_what(compile_repo):
    result = compile_repo(more=PRIORITY)
    waves = {}
    for obj in objects(result):
        waves.setdefault(obj.kind, set()).add(int(obj.annotations()[WAVE]))
    order = [
        "Namespace",
        "RoleBinding",
        "WorkloadPriorityClass",
        "ResourceFlavor",
        "Cohort",
        "ClusterQueue",
        "LocalQueue",
    ]
    for earlier, later in itertools.pairwise(order):
        assert max(waves[earlier]) < min(waves[later]), (earlier, later)


def test_nothing_that_holds_work_or_quota_is_pruned_and_missing_crds_do_not_stop_the_first_sync(base):
    for kind in ("Namespace", "ClusterQueue", "LocalQueue", "ResourceFlavor"):
        for obj in objects(base):
            if obj.kind == kind:
                assert "Prune=false,Delete=false" in obj.annotations()[OPTIONS]
    for obj in objects(base):
        assert ("SkipDryRunOnMissingResource=true" in obj.annotations().get(OPTIONS, "")) == (
            obj.group == "kueue.x-k8s.io"
        ), obj.ref
    assert "PruneLast=true" in base.get("Cohort", "leaf").annotations()[OPTIONS]


def test_server_and_controllers_own_nothing_that_we_write(base):
    for obj in objects(base):
        assert not {"status"} & set(obj.data)
        assert not {"finalizers", "ownerReferences", "uid", "managedFields"} & set(obj.data["metadata"])
