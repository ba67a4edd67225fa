"""Files of a bundle: layout, header, and bytes that depend on declarations alone."""

import random

import yaml

from kohort.compiler import build, render_files
from kohort.model.load import load


def test_layout(base):
    assert list(base.files) == [
        "clusters/lab/manifests/access.yaml",
        "clusters/lab/manifests/cohorts.yaml",
        "clusters/lab/manifests/config.yaml",
        "clusters/lab/manifests/flavors.yaml",
        "clusters/lab/manifests/policies.yaml",
        "clusters/lab/manifests/slack.yaml",
        "clusters/lab/manifests/teams/blue.yaml",
    ]


def test_header_names_the_sources(base):
    files = render_files(base.bundle)
    first = {path: data.decode().split("\n")[0] for path, data in files.items()}
    assert first["clusters/lab/manifests/teams/blue.yaml"] == (
        "# Compiled by kohort from teams/blue/team.yaml. Do not edit."
    )
    assert (
        first["clusters/lab/manifests/cohorts.yaml"]
        == "# Compiled by kohort from queues/all.yaml. Do not edit."
    )


def test_bytes_read_back_as_the_objects(base):
    for path, data in render_files(base.bundle).items():
        assert list(yaml.load_all(data, yaml.CSafeLoader)) == [obj.data for obj in base.files[path]]


def test_one_form_for_one_value(base):
    text = render_files(base.bundle)["clusters/lab/manifests/teams/blue.yaml"].decode()
    queue = text[text.index("kind: ClusterQueue") :]
    assert queue.startswith(
        "kind: ClusterQueue\n"
        "metadata:\n"
        "  name: blue-train\n"
        "  labels:\n"
        "    app.kubernetes.io/managed-by: kohort\n"
        "    kohort.dev/team: blue\n"
        "  annotations:\n"
        "    argocd.argoproj.io/sync-options: SkipDryRunOnMissingResource=true,Prune=false,Delete=false\n"
        '    argocd.argoproj.io/sync-wave: "-10"\n'
        "    kohort.dev/source: teams/blue/team.yaml#spec.queues[0]\n"
        "spec:\n"
        "  cohortName: leaf\n"
    )
    assert (
        "      - name: cpu\n"
        '        borrowingLimit: "40"\n'
        '        lendingLimit: "0"\n'
        '        nominalQuota: "80"\n'
    ) in queue
    assert not any(line != line.rstrip() for line in text.split("\n"))


class Shuffled:
    """A document whose mappings were read in another order."""

    def __init__(self, document, seed):
        self.file, self.index = document.file, document.index
        self.value = self._mix(document.value, random.Random(seed))

    def _mix(self, value, rng):
        if isinstance(value, dict):
            keys = list(value)
            rng.shuffle(keys)
            return {key: self._mix(value[key], rng) for key in keys}
        return [self._mix(item, rng) for item in value] if isinstance(value, list) else value


def test_order_of_files_and_keys_changes_no_byte(base, base_text, documents_of):
    expected = render_files(base.bundle)
    for seed in range(5):
        docs = [Shuffled(d, seed) for d in documents_of(base_text)]
        random.Random(seed).shuffle(docs)
        assert render_files(build(load(docs, {}))) == expected


def test_a_comment_in_the_source_changes_no_byte(compile_repo, base):
    commented = compile_repo(change=("  queues:\n", "  # more room is asked for in spring\n\n  queues:\n"))
    assert render_files(commented.bundle) == render_files(base.bundle)


def test_a_second_team_touches_no_other_file_but_the_viewers(compile_repo, base):
    more = """
# file: teams/green/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: green}
spec: {namespaces: [green], class: batch, quota: {lab: [{flavor: cpu, nodes: 1}]}}
"""
    before, after = render_files(base.bundle), render_files(compile_repo(more=more).bundle)
    assert {path for path in after if before.get(path) != after[path]} == {
        "clusters/lab/manifests/teams/green.yaml"
    }


def test_the_cluster_holds_objects_nodes_and_what_was_declared(base):
    cluster = base.bundle.clusters["lab"].cluster
    assert (cluster.name, cluster.kueue, cluster.declared, cluster.planned) == ("lab", "0.19.1", True, True)
    assert len(cluster.nodes) == 5
    emitted = [o for path, some in base.files.items() if "/argocd/" not in path for o in some]
    assert [o.ref for o in cluster.objects if o.kind != "Node"] == [o.ref for o in emitted]
