"""Every rule on names from a stranger: nothing of them acts, hides or breaks a line, in a finding or in any format.

Each text of each bad example is replaced in turn, everywhere it stands, so that references still meet; the rule is asked
by itself, as what form rules refuse would hide the object from all others: also as if the schema had nothing against it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace

import pytest

from kohort.diagnostics import Finding, Report
from kohort.diagnostics.render import FORMATS, RenderOptions
from kohort.engine.outcome import Settings
from kohort.engine.reading import TreeSet, read_all
from kohort.engine.repository import load_repository
from kohort.objects.cluster import Cluster
from kohort.objects.intake import take_in
from kohort.objects.slack import slack_queues
from kohort.rules.catalogue import catalogue
from kohort.rules.registry import all_rules
from kohort.source.positions import Positions
from kohort.source.tree import MemoryTree
from kohort.spans import Origin

RULES = {rule.code: rule for rule in all_rules()}
DOCS = catalogue()
# clear the screen, reorder, end the line and command the runner, close a code span, be markup
HOSTILE = "x\x1b[2J\u202ey\n::error::z `w` <b>##[add-mask]v\x9b31m\u2066"
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
TEXT = re.compile(r"[A-Za-z](?:[\w./-]*\w)?")
KEPT = frozenset(
    [
        "apiVersion",
        "kind",
        "metadata",
        "spec",
        "name",
        "namespace",
        "labels",
        "annotations",
        "v1",
        "true",
        "false",
        "null",
    ]
)
FILE = re.compile(r"^# file: (\S+)$", re.MULTILINE)
KUEUE = re.compile(r"^# kueue: (\S+)$", re.MULTILINE)


def replaced(text: str, name: str) -> str:
    """A name in double quotes, wherever it stands as a word of YAML; lines that say what the example is stay."""
    hostile = '"' + HOSTILE.replace("\x1b", "\\e").replace("\n", "\\n").replace("\x9b", "\\x9b") + '"'
    hostile = hostile.replace("\u202e", "\\u202e").replace("\u2066", "\\u2066")
    word = re.compile(rf"(?<![\w./\"'@:-]){re.escape(name)}(?![\w./\"'@-])")
    return "\n".join(
        line if line.startswith("# ") else word.sub(lambda _: hostile, line) for line in text.split("\n")
    )


def texts(example: str) -> list[str]:
    body = "\n".join(line for line in example.split("\n") if not line.startswith("# "))
    return [name for name in dict.fromkeys(TEXT.findall(body)) if name not in KEPT]


def asked(rule, example: str, name: str) -> tuple[list[Finding], Positions]:
    """What the rule alone says of an example in which a name is hostile."""
    parts = FILE.split(example)
    if len(parts) > 1:
        files = {parts[i]: (parts[i + 1].lstrip("\n") + "\n").encode() for i in range(1, len(parts), 2)}
        loaded = load_repository(MemoryTree(files), Settings())
        repo = declared(loaded.repo, name)
        return list(rule.repo_check(repo)) if rule.repo_check else [], loaded.places
    version = KUEUE.search(example)
    tree = TreeSet([MemoryTree({"example.yaml": (replaced(example, name) + "\n").encode()})])
    found: list[Finding] = []
    for accepted in (False, True):
        intake = take_in(read_all(tree, lambda _: None))
        cluster = Cluster(intake.objects, kueue=version.group(1) if version else "0.19.1")
        cluster.slack_queues = slack_queues(cluster)
        for obj in cluster.objects if accepted else ():
            obj.memo["violations"] = []
        found += intake.findings
        if rule.object_check:
            objects = [obj for obj in cluster.objects if obj.kind in rule.kinds]
            found += [finding for obj in objects for finding in rule.object_check(obj, cluster)]
        if rule.cluster_check:
            found += rule.cluster_check(cluster)
    return found, Positions(tree.read_or_none)


def declared(value, name: str):
    """A declaration with the name replaced wherever it is the whole of a text: reading would refuse it."""
    if isinstance(value, str):
        return HOSTILE if value == name else value
    if isinstance(value, Origin):
        return value
    if isinstance(value, Mapping):
        return {declared(key, name): declared(each, name) for key, each in value.items()}
    if isinstance(value, (tuple, list, frozenset)):
        return type(value)(declared(each, name) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{f.name: declared(getattr(value, f.name), name) for f in fields(value) if f.init}
        )
    return value


def said(finding: Finding) -> list[str]:
    labels = [finding.primary, *finding.related]
    return [
        finding.message,
        *finding.help,
        *(label.text for label in labels),
        *(part for term in finding.terms for part in (term.amount, term.text)),
        *([finding.fix.title] if finding.fix else []),
    ]


@pytest.mark.parametrize("code", RULES)
def test_no_rule_and_no_renderer_lets_a_name_act(code):
    rule, reached = RULES[code], 0
    for name in texts(DOCS[code].bad):
        found, places = asked(rule, DOCS[code].bad, name)
        for finding in found:
            for text in said(finding):
                assert not RAW.search(text), (name, text)
                assert "\n" not in text, (name, text)
        report = Report(tuple(found))
        reached += any("x\\x1b[2J\\u202ey" in text for finding in found for text in said(finding))
        for form, render in FORMATS.items() if found else ():
            output = render(report, places, RenderOptions(width=100))
            left = output.replace("\u200b", "") if form == "markdown" else output
            assert not RAW.search(left), (form, name)
            assert not re.search(r"^\s*::error::z", output, re.MULTILINE), (form, name)
            assert "##[" not in output, (form, name)
            if form == "markdown":
                assert not re.search(r"<b>(?!Error|Warning|Info)[^<]*##", output), name
    assert reached or code in WITHOUT_NAMES


# What they say holds no text of the example: names of fields of the manager's Configuration, numbers, the version of Kohort,
# or a name that looks like another one, which the hostile one does not.
WITHOUT_NAMES = frozenset(["CFG303", "CFG304", "CFG307", "CFG308", "CFG315", "REF415", "SRC205"])
