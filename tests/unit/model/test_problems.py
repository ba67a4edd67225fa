"""What is wrong in a declaration: our code, our words, the key or value that was typed."""

from __future__ import annotations

import pytest
from model_support import CLUSTER, HEAD, found, repo_of, team

from kohort.diagnostics import Audience

T = "teams/blue/team.yaml"
C = "clusters/lab/cluster.yaml"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (
            "namespaces: [blue]\nqueus: []",
            ("SRC101", f"{T}:6:3", "Team blue: spec has no field `queus`; did you mean `queues`?"),
        ),
        (
            "namespaces: blue",
            ("SRC102", f"{T}:5:15", 'Team blue: spec.namespaces must be a list, not the text "blue"'),
        ),
        (
            "namespaces: [blue]\nclass: 12",
            ("SRC102", f"{T}:6:10", "Team blue: spec.class must be a name, not the number 12"),
        ),
        (
            "namespaces: [blue]\naccess: {members: {users: [yes]}}",
            ("SRC102", f"{T}:6:30", "Team blue: spec.access.members.users[0] must be text, not `true`"),
        ),
        ("class: batch", ("SRC103", f"{T}:4:1", "Team blue: spec lacks `namespaces`")),
        ("namespaces: []", ("SRC105", f"{T}:5:15", "Team blue: spec.namespaces is empty")),
        (
            "namespaces: [blue]\nclass: batch\nstop: hold",
            ("SRC104", f"{T}:7:9", "Team blue: spec.stop cannot be `hold`; did you mean `Hold`?"),
        ),
        (
            "namespaces: [Blue_1]",
            (
                "SRC106",
                f"{T}:5:16",
                (
                    "Team blue: spec.namespaces[0] `Blue_1` is no namespace name: 'B' at position 1 is not allowed; "
                    "use lower-case letters, digits and '-'"
                ),
            ),
        ),
        (
            "namespaces: [blue, blue]",
            ("SRC107", f"{T}:5:22", "Team blue: namespace blue stands there twice; the first counts"),
        ),
        (
            "namespaces: [blue]\nqueues: [{name: a, class: batch}, {name: a, class: batch}]",
            ("SRC107", f"{T}:6:44", "Team blue: queue a stands there twice; the first counts"),
        ),
        (
            "namespaces: [blue]\nqueues: [{name: a}]",
            ("SRC103", f"{T}:6:12", "Team blue: spec.queues[0] lacks `class`"),
        ),
        (
            "namespaces: [blue]\nqueues: []\ncohort: x",
            (
                "SRC105",
                f"{T}:7:11",
                "Team blue: spec.cohort `x` stands beside `queues`: a team has either `queues` or one queue directly in spec, not both",
            ),
        ),
    ],
)
def test_one_defect_in_a_team(spec, expected):
    assert found(CLUSTER + team(spec)) == [expected]


LINE = "teams/blue/team.yaml:7:17"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "{flavor: gpu}",
            (
                "SRC103",
                LINE,
                "Team blue: spec.quota.lab[0] lacks one of `gpus`, `devices`, `nodes` or `size`",
            ),
        ),
        (
            "{flavor: gpu, gpus: 8, nodes: 1}",
            (
                "SRC105",
                f"{T}:7:47",
                "Team blue: spec.quota.lab[0].nodes: a line of quota states one number, not `gpus` and `nodes`",
            ),
        ),
        (
            "{flavor: gpu, gpus: -8}",
            ("SRC105", f"{T}:7:37", "Team blue: spec.quota.lab[0].gpus `-8` is below 0"),
        ),
        (
            "{flavor: gpu, gpus: 8.5}",
            (
                "SRC102",
                f"{T}:7:37",
                "Team blue: spec.quota.lab[0].gpus must be a whole number, not the number 8.5",
            ),
        ),
        (
            "{flavor: gpu, gpus: 1000000000000000000000000000000}",
            ("SRC105", f"{T}:7:37", "Team blue: spec.quota.lab[0].gpus `1e+30` is too large for a count"),
        ),
        (
            "{flavor: gpu, gpus: true}",
            ("SRC102", f"{T}:7:37", "Team blue: spec.quota.lab[0].gpus must be a whole number, not `true`"),
        ),
        (
            "{flavor: gpu, gpus: 8, borrow: sny}",
            (
                "SRC104",
                f"{T}:7:48",
                "Team blue: spec.quota.lab[0].borrow cannot be `sny`; did you mean `any`?",
            ),
        ),
        (
            "{flavor: gpu, gpus: 8, lend: -1}",
            (
                "SRC105",
                f"{T}:7:46",
                "Team blue: spec.quota.lab[0].lend `-1` is below zero; `none` or 0 forbids it, `any` sets no limit",
            ),
        ),
        (
            "{flavor: gpu, gpu: 8}",
            ("SRC101", f"{T}:7:31", "Team blue: spec.quota.lab[0] has no field `gpu`; did you mean `gpus`?"),
        ),
        (
            "{flavor: gpu, gpus: 8, resources: {cpu: 8 cores}}",
            ("SRC105", f"{T}:7:57", None),
        ),
        (
            "{flavor: gpu, devices: {}}",
            (
                "SRC105",
                f"{T}:7:40",
                "Team blue: spec.quota.lab[0].devices is empty: name at least one device",
            ),
        ),
    ],
)
def test_one_defect_in_a_line_of_quota(line, expected):
    code, place, message = expected
    got = found(CLUSTER + team(f"namespaces: [blue]\nclass: batch\nquota: {{lab: [{line}]}}"))
    assert [(code, place)] == [entry[:2] for entry in got]
    assert message is None or got[0][2] == message


def test_all_defects_of_a_document_are_found_at_once():
    text = CLUSTER.replace("nodes: 4", "nodes: four").replace(
        "accelerator: example.com/gpu", "accelerator: [x]"
    )
    assert [(code, place) for code, place, _ in found(text)] == [
        ("SRC102", f"{C}:10:12"),
        ("SRC102", f"{C}:11:18"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "reserve: {cpu: 8}",
            "reserve: {cpu: 200}",
            (
                "SRC105",
                f"{C}:25:20",
                "Cluster lab: spec.nodePools[2].reserve.cpu `200` is more than the node has (96)",
            ),
        ),
        (
            "reserve: {cpu: 8}",
            "reserve: {cpus: 8}",
            (
                "SRC104",
                f"{C}:25:15",
                "Cluster lab: spec.nodePools[2].reserve cannot name `cpus`; did you mean `cpu`?",
            ),
        ),
        (
            "accelerator: example.com/gpu",
            "accelerator: example.com/gpus",
            (
                "SRC104",
                f"{C}:11:18",
                "Cluster lab: spec.nodePools[0].accelerator cannot be `example.com/gpus`; did you mean `example.com/gpu`?",
            ),
        ),
        (
            "example.com/big: 3/7",
            "example.com/big: 3/0",
            (
                "SRC105",
                f"{C}:26:30",
                "Cluster lab: spec.nodePools[2].share[example.com/big] `3/0` is no part of a GPU: write a fraction such as 3/7",
            ),
        ),
        (
            "kueue: 0.19.1",
            "kueue: latest",
            (
                "SRC105",
                f"{C}:5:41",
                "Cluster lab: spec.versions.kueue `latest` is no version: write it in full, such as 0.19.1",
            ),
        ),
        (
            "kueue: 0.19.1",
            "kueue: 0.19",
            ("SRC102", f"{C}:5:41", "Cluster lab: spec.versions.kueue must be text, not the number 0.19"),
        ),
        (
            "name: cpu\n    flavor",
            "name: gpu\n    flavor",
            ("SRC107", f"{C}:16:11", "Cluster lab: node pool gpu stands there twice; the first counts"),
        ),
    ],
)
def test_one_defect_in_a_cluster(old, new, expected):
    assert old in CLUSTER
    assert found(CLUSTER.replace(old, new, 1)) == [expected]


def test_unknown_fields_are_read_over_and_the_rest_is_used():
    repo = repo_of(CLUSTER + team("namespaces: [blue]\ncolour: red"))
    assert [f.code for f in repo.findings] == ["SRC101"]
    assert repo.teams["blue"].namespaces == ("blue",)
    assert not repo.broken


def test_an_unknown_field_offers_the_rename_but_not_as_safe():
    finding = repo_of(team("namespaces: [blue]\nqueus: []")).findings[0]
    assert finding.fix is not None
    assert not finding.fix.safe
    assert [(e.action, e.text, e.origin.path) for e in finding.fix.edits] == [
        ("rename", "queues", ("spec", "queus"))
    ]


def test_an_unusable_declaration_is_broken_and_not_missing():
    text = CLUSTER.replace("nodes: 4", "nodes: many") + team(
        "namespaces: [blue]\nclass: batch\nquota: {lab: [{flavor: gpu, gpus: 1}]}"
    )
    repo = repo_of(text)
    assert ("Cluster", "lab") in repo.broken
    assert [f.code for f in repo.findings] == ["SRC102"]


def test_findings_in_a_team_folder_are_for_the_team():
    repo = repo_of(CLUSTER.replace("kueue: 0.19.1", "kueue: 0.19") + team("namespaces: blue"))
    assert {f.primary.origin.file: f.audience for f in repo.findings} == {C: Audience.ADMIN, T: Audience.TEAM}


def test_pydantic_wording_never_appears():
    shapes = ["null", "[]", "{}", "7", "text", "true", "1.5", "[[]]", "{a: {b: c}}", "2026-01-01"]
    fields = [
        "namespaces",
        "access",
        "queues",
        "quota",
        "class",
        "cohort",
        "weight",
        "stop",
        "default",
        "podSecurity",
    ]
    words = (
        "Input should",
        "valid",
        "validation",
        "pydantic",
        "Field required",
        "Extra inputs",
        "instance of",
    )
    checked = 0
    for field in fields:
        for shape in shapes:
            for _, _, message in found(team(f"{field}: {shape}")):
                assert message.startswith("Team blue: ")
                assert not any(word in message for word in words), message
                checked += 1
    assert checked > 80


@pytest.mark.parametrize(
    "body",
    ["kind: Team\n", "kind: Team\nmetadata: 5\nspec: 7\n", "kind: Team\nmetadata: {name: [x]}\nspec: {}\n"],
)
def test_a_document_without_its_frame_is_a_finding(body):
    got = found(f"# file: teams/blue/team.yaml\n{HEAD}{body}")
    assert got
    assert {code for code, _, _ in got} <= {"SRC102", "SRC103"}
