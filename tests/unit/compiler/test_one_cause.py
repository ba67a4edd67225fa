"""One mistake is told once: what follows from it while compiling is not told as well."""

from __future__ import annotations

from kohort.engine.outcome import Settings
from kohort.engine.repository import check_repository
from kohort.rules.compile_codes import RULES
from kohort.source.tree import MemoryTree

GOOD = next(rule for rule in RULES if rule.code == "CMP108").good


def codes(text):
    files, name = {}, ""
    for line in text.splitlines():
        if line.startswith("# file: "):
            name = line.removeprefix("# file: ")
            files[name] = ""
        else:
            files[name] += line + "\n"
    outcome, _ = check_repository(
        MemoryTree({path: body.encode() for path, body in files.items()}), Settings()
    )
    return [(f.code, f.primary.origin.file) for f in outcome.report.findings]


def test_a_renamed_flavor_that_slack_uses_is_one_finding():
    before = codes(GOOD)
    assert "SRC131" not in dict(before)
    renamed = GOOD.replace("kind: Flavor\nmetadata: {name: cpu}", "kind: Flavor\nmetadata: {name: cpux}")
    new = [found for found in codes(renamed) if found not in before]
    assert new == [("SRC131", "clusters/lab/cluster.yaml")]


def test_quota_of_a_flavor_without_a_pool_is_one_finding():
    flavor = "kind: Flavor\nmetadata: {name: cpu}\nspec: {}\n"
    other = f"{flavor}---\napiVersion: kohort.dev/v1alpha1\n{flavor.replace('cpu', 'tpu')}"
    text = GOOD.replace(flavor, other)
    before = codes(text)
    line = "{flavor: cpu, nodes: 1}"
    new = [
        found
        for found in codes(text.replace(line, f"{line}, {{flavor: tpu, nodes: 1}}"))
        if found not in before
    ]
    assert new == [("SRC122", "teams/blue/team.yaml")]


def messages(text, code):
    files = {}
    for part in text.split("# file: ")[1:]:
        name, _, body = part.partition("\n")
        files[name] = body.encode()
    outcome, _ = check_repository(MemoryTree(files), Settings())
    return [f.message for f in outcome.report.findings if f.code == code]


def test_a_wrong_type_is_named_and_a_long_number_printed_as_typed():
    start = "Team blue: spec.queues[0].quota.lab[0].nodes must be a whole number, not "
    assert messages(GOOD.replace("nodes: 1}", 'nodes: "8"}'), "SRC102") == [f'{start}the text "8"']
    long = "12345678901234567890123"
    (message,) = [
        m
        for code in ("SRC102", "SRC105")
        for m in messages(GOOD.replace("nodes: 1}", f"nodes: {long}}}"), code)
    ]
    assert long in message
    assert "e+" not in message
