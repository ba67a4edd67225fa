"""What the language means and where numbers come from: texts for `kohort explain`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args, get_origin

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from kohort.diagnostics import Finding
from kohort.model.amounts import Amount
from kohort.model.derive import DerivedLine, derive
from kohort.model.fieldtree import FieldView, below, choices, fields_of, item_type, plain_type
from kohort.model.kinds import KINDS, Strict
from kohort.model.kinds.fields import Words
from kohort.model.repo import QuotaLine, Repo, Team, TeamQueue
from kohort.model.request import counted
from kohort.spans import show_path

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class LineFacts:
    """One line of a team's quota, derived, or why it could not be."""

    queue: TeamQueue
    cluster: str
    line: QuotaLine
    derived: DerivedLine | tuple[Finding, ...]


def team_facts(repo: Repo, team: Team) -> Iterator[LineFacts]:
    """All lines of a team's quota: queue by queue, cluster by cluster, flavors in order of preference."""
    for queue in team.queues:
        for cluster, lines in queue.quota.items():
            declared = repo.clusters.get(cluster)
            for line in lines:
                derived = derive(repo, declared, line) if declared is not None else ()
                yield LineFacts(queue, cluster, line, derived)


def explain_team(repo: Repo, name: str) -> str | None:
    """Every number that follows from a team's quota, with its arithmetic; None where there is no such team."""
    team = repo.teams.get(name)
    if team is None:
        return None
    text = [
        f"team {team.name}{f' ({team.title})' if team.title else ''}: namespaces {', '.join(team.namespaces)}"
    ]
    queue: TeamQueue | None = None
    for facts in team_facts(repo, team):
        if facts.queue is not queue:
            queue = facts.queue
            where = f"cohort {queue.cohort}" if queue.cohort else "no cohort: neither lends nor borrows"
            text += ["", f"queue {queue.name}: class {queue.queue_class}, {where}"]
        text += [
            "",
            f"  {facts.cluster}, flavor {facts.line.flavor}: {_typed(facts.line)}   {_place(facts.line)}",
        ]
        text += [f"    {row}" for row in _rows(facts)]
    if queue is None:
        text += ["", "no quota"]
    return "\n".join(text)


def _typed(line: QuotaLine) -> str:
    if line.unit == "size":
        return f"size {line.size}"
    if line.unit == "devices":
        return ", ".join(f"{count} {device}" for device, count in line.devices.items())
    return counted(line.count, "GPU" if line.unit == "gpus" else "node")


def _place(line: QuotaLine) -> str:
    return f"{line.origin.file}#{show_path(line.path)}"


def _rows(facts: LineFacts) -> list[str]:
    derived = facts.derived
    if not isinstance(derived, DerivedLine):
        return [finding.message for finding in derived] or [
            f"cluster {facts.cluster} or its flavor could not be read"
        ]
    rows = [("guarantee", resource, amount) for resource, amount in derived.guarantee.items()]
    words = []
    in_cohort = bool(facts.queue.cohort)
    for word, limits in (("borrow", derived.borrow), ("lend", derived.lend)):
        if not in_cohort:
            continue
        if limits is None:
            words.append(f"{word:<9}  any")
        else:
            rows += [(word, resource, amount) for resource, amount in limits.items()]
    width = max((len(resource) for _, resource, _ in rows), default=0)
    wide = max((len(str(amount.value)) for _, _, amount in rows), default=0)
    return [*(_row(word, resource, amount, width, wide) for word, resource, amount in rows), *words]


def _row(word: str, resource: str, amount: Amount, width: int, wide: int) -> str:
    return f"{word:<9}  {resource:<{width}}  {amount.value!s:>{wide}}  {amount.arithmetic}"


def explain_field(what: str) -> str | None:
    """Type, meaning, default and example of `Kind` or `Kind.spec.field`; None where there is no such field.

    Lists and mappings are stepped over: `Team.spec.queues.quota.gpus`.
    """
    kind, *steps = what.strip().split(".")
    known = {name.lower(): name for name in KINDS}
    model = KINDS.get(known.get(kind.lower(), ""))
    if model is None:
        return None
    view = FieldView(None, model)
    for step in steps:
        found = below(_entries(view), step)
        if found is None:
            return None
        view = found
    return _describe(".".join([known[kind.lower()], *steps]), view)


def _entries(view: FieldView) -> FieldView:
    """The mapping of known fields inside lists and free mappings, if there is one."""
    while view.model is None:
        inner = item_type(view.type)
        if inner is None:
            return view
        view = FieldView(view.info, inner)
    return view


def _describe(title: str, view: FieldView) -> str:
    text = [
        f"{title}: {type_name(view.type, view.info)}{'' if view.info is None or not view.info.is_required() else ', required'}"
    ]
    model = _entries(view).model
    if view.info is not None and view.info.description:
        text += ["", textwrap.fill(view.info.description, _WIDTH)]
    elif model is not None and model.__doc__:
        text += ["", textwrap.fill(" ".join(model.__doc__.split()), _WIDTH)]
    words = choices(view.type)
    if words:
        text += ["", f"One of: {', '.join(words)}"]
    if view.info is not None:
        default = _default(view.info)
        if default:
            text += ["", f"Default: {default}"]
        if view.info.examples and not _lacks_required(view.info.examples[0], model):
            name = title.rpartition(".")[2]
            text += ["", "Example", textwrap.indent(_example(name, view.info.examples[0]), "    ")]
    if model is not None:
        text += ["", "Fields"]
        rows = [(name, type_name(info.annotation, info), info) for name, info in fields_of(model).items()]
        wide = max(len(name) for name, _, _ in rows)
        for name, kind, info in rows:
            must = ", required" if info.is_required() else ""
            summary = textwrap.shorten(info.description or "", _WIDTH - wide - 4, placeholder=" …")
            text += [f"  {name:<{wide}}  {kind}{must}", f"  {'':<{wide}}  {summary}"]
    return "\n".join(text)


def _lacks_required(example: Any, model: type[BaseModel] | None) -> bool:
    """Whether an empty example stands for a mapping that has required fields: it would be refused."""
    return example == {} and model is not None and any(i.is_required() for i in fields_of(model).values())


def _default(info: FieldInfo) -> str:
    value = info.get_default(call_default_factory=True, validated_data={}) if not info.is_required() else None
    if value in (None, PydanticUndefined, "", [], {}) or isinstance(value, Strict):
        return ""
    return _yaml(value).strip().removesuffix("...").strip()


def _example(name: str, value: Any) -> str:
    if isinstance(value, (dict, list)):
        return _yaml({name: value})
    return f"{name}: {_yaml(value).removesuffix('...').strip()}"


def _yaml(value: Any) -> str:
    return yaml.safe_dump(
        value, default_flow_style=None, sort_keys=False, width=_WIDTH, allow_unicode=True
    ).rstrip()


_PLAIN = {
    str: ("text", "texts"),
    int: ("whole number", "whole numbers"),
    bool: ("true or false", "true or false"),
    float: ("number", "numbers"),
    Any: ("any value", "any values"),
}


def type_name(annotation: Any, info: FieldInfo | None = None, *, many: bool = False) -> str:
    """A type in people's words: `list of mappings`, `mapping of quantities`, `name`."""
    words = _words(annotation, info)
    if words is not None:
        return words.many if many else words.one
    inner, bare = item_type(annotation), plain_type(annotation)
    if inner is not None:
        one, several = ("list", "lists") if get_origin(bare) is list else ("mapping", "mappings")
        return f"{several if many else one} of {type_name(inner, many=True)}"
    if isinstance(bare, type) and issubclass(bare, Strict):
        return "mappings" if many else "mapping"
    one, several = _PLAIN.get(bare, ("word", "words") if choices(bare) else ("value", "values"))
    return several if many else one


def _words(annotation: Any, info: FieldInfo | None) -> Words | None:
    """Pydantic keeps what stands beside a type in the field, except inside `| None`, lists and mappings."""
    beside = list(info.metadata) if info is not None else []
    for each in (annotation, *(get_args(annotation) if item_type(annotation) is None else ())):
        beside += getattr(each, "__metadata__", ())
    return next((mark for mark in beside if isinstance(mark, Words)), None)
