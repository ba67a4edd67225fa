"""What is wrong with a template whatever its values are: such a template is a finding where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.repo import Parameter, Repo, WorkloadTemplate
from kohort.model.shown import shown
from kohort.model.template_context import FACTS, NUMERIC_FACTS
from kohort.model.template_nodes import (
    Arithmetic,
    Literal,
    Map,
    Node,
    Param,
    ShapeError,
    Text,
    When,
    below,
    read_body,
)
from kohort.model.template_values import NUMERIC, RANGED, TEXTS, UnfitError, Value, matches, read_value
from kohort.spans import Origin, Path

BODY: Path = ("spec", "body")
_OURS = frozenset({"name", "namespace", "labels", "annotations"})  # what `metadata` may hold


def template_faults(repo: Repo) -> Iterator[Finding]:
    """The findings of all templates by name."""
    for name in sorted(repo.templates):
        prepared = prepare(repo.templates[name])
        if isinstance(prepared, tuple):
            yield from prepared


@dataclass(frozen=True, slots=True)
class Prepared:
    """A template without faults: its body as a tree, and the values of its defaults by name."""

    body: Map
    defaults: Mapping[str, Value]


def prepare(template: WorkloadTemplate) -> Prepared | tuple[Finding, ...]:
    """What rendering needs, made once; or everything that is wrong with the template."""
    return _prepare(_Same(template))


class _Same:
    """A key that compares by identity: declarations hold mappings and have no hash."""

    __slots__ = ("template",)

    def __init__(self, template: WorkloadTemplate) -> None:
        self.template = template

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.template is other.template

    def __hash__(self) -> int:
        return id(self.template)


@lru_cache(maxsize=256)
def _prepare(key: _Same) -> Prepared | tuple[Finding, ...]:
    template = key.template
    found = [fault for parameter in template.parameters for fault in _parameter(template, parameter)]
    found += _names(template)
    try:
        body = read_body(template.body, template.at(*BODY))
    except ShapeError as error:
        return (*found, _fault(template, str(error), error.origin))
    if not isinstance(body, Map):
        return (*found, _fault(template, "`body` must be a mapping: the object to make", template.at(*BODY)))
    found += _header(template)
    found += _Body(template).check(body)
    if found:
        return tuple(found)
    given = (parameter for parameter in template.parameters if parameter.default is not None)
    return Prepared(body, {parameter.name: read_value(parameter, parameter.default) for parameter in given})


def _fault(template: WorkloadTemplate, text: str, origin: Origin, *, help_: tuple[str, ...] = ()) -> Finding:
    name = f"WorkloadTemplate {template.name}"
    return finding("SRC141", f"{name}: {text}", origin, subject=name, help=help_)


def _names(template: WorkloadTemplate) -> Iterator[Finding]:
    seen: set[str] = set()
    for parameter in template.parameters:
        at = template.at(*parameter.path, "name")
        if parameter.name in FACTS:
            what = FACTS[parameter.name]
            text = f"parameter {parameter.name} has the name of a fact that every template knows ({what})"
            yield _fault(template, text, at)
        elif parameter.name in seen:
            yield _fault(template, f"parameter {parameter.name} is declared twice", at)
        seen.add(parameter.name)


def _parameter(template: WorkloadTemplate, parameter: Parameter) -> Iterator[Finding]:
    """Whether a parameter can have any value, and its default is one."""
    words = f"parameter {parameter.name}"

    def fault(text: str, *field: str | int) -> Finding:
        return _fault(template, f"{words}{text}", template.at(*parameter.path, *field))

    if parameter.required and parameter.default is not None:
        yield fault(" is required and has a default: it can only be one of both", "default")
    if parameter.type not in RANGED:
        for bound in ("minimum", "maximum"):
            if getattr(parameter, bound) is not None:
                yield fault(f": `{bound}` means nothing for type {parameter.type}", bound)
        low = high = None
    else:
        low, high = parameter.minimum, parameter.maximum
    if low is not None and high is not None and low > high:
        yield fault(f": minimum {low} is above maximum {high}, so that no value fits", "maximum")
        return
    if parameter.pattern and parameter.type not in TEXTS:
        yield fault(f": `pattern` means nothing for type {parameter.type}", "pattern")
        return
    if parameter.pattern:
        try:
            matches(parameter.pattern, "")
        except UnfitError as wrong:
            yield fault(f": {wrong}", "pattern")
            return
    for index, choice in enumerate(parameter.enum):
        try:
            read_value(parameter, choice)
        except UnfitError as wrong:
            yield fault(f": the choice {wrong}", "enum", index)
    if parameter.default is not None:
        try:
            read_value(parameter, parameter.default)
        except UnfitError as wrong:
            yield fault(f": the default {wrong}", "default")


def _header(template: WorkloadTemplate) -> Iterator[Finding]:
    """What every object needs and Kohort itself decides."""
    body: Mapping[str, object] = template.body
    for field in ("apiVersion", "kind"):
        value = body.get(field)
        if not isinstance(value, str) or not value or "${" in value:
            part = template.at(*BODY, field) if field in body else template.at(*BODY, part="key")
            yield _fault(template, f"`body` needs `{field}` as a plain text", part)
    metadata = body.get("metadata")
    if isinstance(metadata, Mapping):
        for key in metadata:
            if isinstance(key, str) and key not in _OURS:
                yield _fault(
                    template,
                    f"`metadata` may hold labels and annotations, not `{key}`",
                    template.at(*BODY, "metadata", key, part="key"),
                    help_=("name, namespace and the queue's label come from the workload",),
                )


class _Body:
    """Names that a body uses: whether they exist, are numbers where sums need them, and are sure to have a text."""

    def __init__(self, template: WorkloadTemplate) -> None:
        self._template = template
        self._known = {parameter.name: parameter for parameter in template.parameters}
        self._used: set[str] = set()

    def check(self, body: Map) -> Iterator[Finding]:
        """All faults of a body, and the parameters that decide nothing in it."""
        yield from self._node(body, frozenset())
        for parameter in self._template.parameters:
            if parameter.name not in self._used and parameter.name not in FACTS:
                text = f"parameter {parameter.name} decides nothing: the body does not use it"
                yield _fault(self._template, text, self._template.at(*parameter.path, "name"))

    def _node(self, node: Node, sure: frozenset[str]) -> Iterator[Finding]:
        """`sure` are the names that have a value wherever this node counts."""
        match node:
            case Text():
                yield from self._text(node, sure)
            case Param():
                yield from self._name(node.name, node.origin)
            case Arithmetic():
                yield from self._numbers(node)
            case When():
                before = sure
                for condition in node.conditions:
                    yield from self._node(condition, sure)
                    sure |= _needed(condition)
                yield from self._node(node.then, sure)
                if node.other is not None:
                    yield from self._node(node.other, before)
                return
            case _:
                pass
        for part in below(node):
            yield from self._node(part, sure)

    def _name(self, name: str, origin: Origin) -> Iterator[Finding]:
        self._used.add(name)
        if name in self._known or name in FACTS:
            return
        near = did_you_mean(name, [*self._known, *FACTS])
        hint = f"; did you mean `{near[0]}`?" if near else ""
        yield _fault(
            self._template,
            f"there is no parameter or fact {shown(name)}{hint}",
            origin,
            help_=(f"parameters: {', '.join(sorted(self._known)) or 'none'}", f"facts: {', '.join(FACTS)}"),
        )

    def _text(self, text: Text, sure: frozenset[str]) -> Iterator[Finding]:
        for name in text.names:
            faults = list(self._name(name, text.origin))
            yield from faults
            parameter = self._known.get(name)
            if faults or parameter is None or text.alone or name in sure:
                continue
            if parameter.default is None and not parameter.required:
                yield _fault(
                    self._template,
                    f"a text uses `{name}`, which may have no value",
                    text.origin,
                    help_=(f"give {name} a default, or write the text under `{{when: {name}, then: …}}`",),
                )

    def _numbers(self, node: Arithmetic) -> Iterator[Finding]:
        for operand in node.operands:
            yield from self._number(operand, node.word)

    def _number(self, node: Node, word: str) -> Iterator[Finding]:
        """Whether what stands for a number is one."""
        match node:
            case Param():
                parameter = self._known.get(node.name)
                fact = node.name in FACTS and node.name not in NUMERIC_FACTS
                if fact or (parameter is not None and parameter.type not in NUMERIC):
                    text = f"`{word}` takes numbers and quantities; {node.name} is neither"
                    yield _fault(self._template, text, node.origin)
                if node.other is not None:
                    yield from self._number(node.other, word)
            case When():
                for branch in (node.then, node.other):
                    yield from self._number(branch, word) if branch is not None else ()
            case Arithmetic():
                pass  # judged itself
            case Literal() if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
                pass
            case _:
                text = f"`{word}` takes numbers and quantities, and names only as {{param: NAME}}"
                yield _fault(self._template, text, node.origin)


def _needed(condition: Node) -> frozenset[str]:
    """The names that have a value wherever a condition holds."""
    match condition:
        case Param() if condition.other is None:
            return frozenset({condition.name})
        case Arithmetic():
            return frozenset().union(*(_needed(operand) for operand in condition.operands))
        case Literal() | _:
            return frozenset()
