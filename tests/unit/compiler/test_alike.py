"""Remembering equal lines changes nothing: amounts, arithmetic and places are those of deriving each line."""

import pytest

from kohort.compiler.alike import AlikeLines
from kohort.model.derive import DerivedLine, derive
from kohort.model.load import load

LINES = [
    "{flavor: big, gpus: 8}",
    "{flavor: big, gpus: 8}",
    "{flavor: big, gpus: 8, borrow: 4}",
    "{flavor: big, gpus: 8, borrow: none, lend: 2}",
    '{flavor: big, gpus: 8, resources: {cpu: "10"}}',
    "{flavor: big, gpus: 8, resources: {cpu: 10000m}}",
    "{flavor: big, nodes: 1}",
    "{flavor: cpu, nodes: 1}",
    "{flavor: big, gpus: 0}",
    "{flavor: nowhere, gpus: 1}",
]


@pytest.mark.parametrize("line", LINES)
def test_equal_to_deriving_each(base_text, documents_of, line):
    text = base_text.replace(
        "[{flavor: big, gpus: 8, borrow: 4, lend: none}, {flavor: cpu, nodes: 1}]", f"[{line}]"
    )
    more = text[text.index("# file: teams/blue") :].replace("blue", "green")
    repo = load(documents_of(text + more), {})
    cluster = repo.clusters["lab"]
    alike = AlikeLines(repo, cluster)
    for other in LINES:
        filler = base_text.replace("{flavor: cpu, nodes: 1}]", f"{other}]")
        for filled in load(documents_of(filler), {}).teams["blue"].queues[0].quota["lab"]:
            alike.derive(filled)
    for team in ("blue", "green"):
        (typed,) = repo.teams[team].queues[0].quota["lab"]
        found = alike.derive(typed)
        assert found == derive(repo, cluster, typed)
        if isinstance(found, DerivedLine):
            assert {a.origin.file for a in found.guarantee.values()} == {f"teams/{team}/team.yaml"}
