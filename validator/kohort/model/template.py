"""Templates with their values: from a WorkloadTemplate, values and the facts of a place to the object's body.

Rendering is pure. Every field of the result knows what decided it: the value that was typed, the default, or the
template itself; so a finding about a pod's cpu points at the number of GPUs in the team's file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.repo import Parameter, WorkloadTemplate
from kohort.model.shown import shown
from kohort.model.template_check import Prepared, prepare
from kohort.model.template_context import FACTS, Context
from kohort.model.template_nodes import Arithmetic, Items, Literal, Map, Node, Param, Text, When
from kohort.model.template_values import UnfitError, Value, read_value, text_of
from kohort.objects.quantity import Quantity
from kohort.objects.quantity_format import NANO
from kohort.spans import Origin, Path

__all__ = ["Context", "Place", "Rendered", "render"]

_LARGEST: Final = 2**63 - 1
_SIGN: Final = {"sum": "+", "product": "×"}


class _Nothing:
    """No value: the key or list item is left out."""


_NOTHING: Final = _Nothing()


@dataclass(frozen=True, slots=True)
class Place:
    """Where the values stand: all of them, and each by its name; `subject` names the workload in messages."""

    whole: Origin
    of: Callable[[str], Origin]
    subject: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """The object's body, and by path in it what decided the field: its place and the arithmetic."""

    body: Mapping[str, Any]
    entries: Mapping[Path, tuple[Origin, str]]


@dataclass(frozen=True, slots=True)
class _Bound:
    """The value of a name or sum. `rank`: 0 typed, 1 a default, 2 a fact, 3 the template; the lowest decides the place.

    `text` is the value as a term of a sum, `arithmetic` how a derived fact came about.
    """

    value: Value
    origin: Origin
    text: str
    rank: int
    arithmetic: str = ""


def render(
    template: WorkloadTemplate, values: Mapping[str, Any], context: Context, place: Place
) -> Rendered | tuple[Finding, ...]:
    """The body with all values in it, or everything that does not fit.

    `values` are as YAML gives them. What is wrong with the template itself comes back as findings at the template.
    """
    prepared = prepare(template)
    if not isinstance(prepared, Prepared):
        return prepared
    bound, faults = _bind(template, prepared.defaults, values, context, place)
    if faults:
        return tuple(faults)
    walk = _Walk(template, bound, context, place)
    result = walk.value(prepared.body, ())
    if walk.faults:
        return tuple(walk.faults)
    assert isinstance(result, dict), "apiVersion and kind are plain texts, so the body never becomes empty"
    return Rendered(result, walk.entries)


def _bind(
    template: WorkloadTemplate,
    defaults: Mapping[str, Value],
    values: Mapping[str, Any],
    context: Context,
    place: Place,
) -> tuple[dict[str, _Bound], list[Finding]]:
    """All names with a value, and the values that do not fit."""
    known = {parameter.name: parameter for parameter in template.parameters}
    unknown = {name: did_you_mean(name, known) for name in values if name not in known}
    faults = [_unknown(template, name, near, place) for name, near in unknown.items()]
    meant = {near[0] for near in unknown.values() if near}
    bound = {
        name: _Bound(fact.value, fact.origin, _term(fact.value, name, fact.arithmetic), 2, fact.arithmetic)
        for name, fact in context.facts.items()
    }
    for parameter in template.parameters:
        name, raw = parameter.name, values.get(parameter.name)
        if raw is not None:
            origin = place.of(name)
            try:
                value = read_value(parameter, raw)
            except UnfitError as wrong:
                faults.append(_unfit(f"{place.subject}: {name}: {wrong}", origin, place, parameter))
                continue
            bound[name] = _Bound(value, origin, _term(value, name), 0)
        elif parameter.required and name not in meant:
            text = f"{place.subject}: parameter {name} of template {template.name} needs a value"
            faults.append(_unfit(text, place.of(name)._replace(part="key"), place, parameter))
        elif name in defaults:
            value = defaults[name]
            bound[name] = _Bound(value, template.at(*parameter.path, "default"), _term(value, name), 1)
    return bound, faults


def _misfit(text: str, origin: Origin, place: Place) -> Finding:
    return finding("SRC142", f"{place.subject}: {text}", origin, subject=place.subject)


def _unfit(text: str, origin: Origin, place: Place, parameter: Parameter) -> Finding:
    about = (f"{parameter.name}: {parameter.description}",)
    return finding("SRC142", text, origin, subject=place.subject, help=about)


def _unknown(template: WorkloadTemplate, name: str, near: tuple[str, ...], place: Place) -> Finding:
    names = [parameter.name for parameter in template.parameters]
    hint = f"; did you mean `{near[0]}`?" if near else ""
    text = f"{place.subject}: template {template.name} has no parameter {shown(name)}{hint}"
    known: tuple[str, ...] = (f"it has {', '.join(names) or 'none'}",)
    if name in FACTS:
        known = (f"{name} is a fact that every template knows: {FACTS[name]}", *known)
    return finding("SRC142", text, place.of(name)._replace(part="key"), subject=place.subject, help=known)


def _term(value: Value, name: str, arithmetic: str = "") -> str:
    return f"{text_of(value)} {name}{f' ({arithmetic})' if arithmetic else ''}"


class _Walk:
    """One pass over a body. Paths of `entries` are those of the result."""

    def __init__(
        self,
        template: WorkloadTemplate,
        bound: Mapping[str, _Bound],
        context: Context,
        place: Place,
    ) -> None:
        self.entries: dict[Path, tuple[Origin, str]] = {}
        self.faults: list[Finding] = []
        self._template = template
        self._bound = bound
        self._context = context
        self._place = place
        self._asked: list[_Bound] = []  # names of the conditions around the present node

    def value(self, node: Node, out: Path) -> Any:
        """The value of a node that becomes the field `out`, or _NOTHING."""
        match node:
            case Map():
                return self._map(node, out)
            case Items():
                return self._list(node, out)
            case Literal():
                self.entries[out] = (node.origin, "")
                return node.value
            case Text():
                return self._text(node, out)
            case When():
                return self._when(node, out)
            case Param():
                bound = self._bound.get(node.name)
                if bound is not None:
                    self.entries[out] = (bound.origin, bound.arithmetic)
                    return _plain(bound.value)
                return self.value(node.other, out) if node.other is not None else _NOTHING
            case Arithmetic():
                result = self._number(node)
                if result is None:
                    return _NOTHING
                self.entries[out] = (result.origin, f"{result.text} = {text_of(result.value)}")
                return _plain(result.value)

    def _map(self, node: Map, out: Path) -> Any:
        result: dict[str, Any] = {}
        self.entries[out] = (node.origin, "")
        for key, item in node.entries:
            lacking = self._lacking(key) if key.names else ""
            name = self._join(key)
            value = self.value(item, (*out, name))
            if value is _NOTHING:
                continue
            if lacking in FACTS:
                self._unset(lacking, self.entries[*out, name][0])
            elif name in result:
                self._fault(f"two keys become {shown(name)}", key.origin)
            elif not lacking:
                result[name] = value
        return self._kept(result, out, written=bool(node.entries))

    def _list(self, node: Items, out: Path) -> Any:
        result: list[Any] = []
        self.entries[out] = (node.origin, "")
        for item in node.items:
            value = self.value(item, (*out, len(result)))
            if value is not _NOTHING:
                result.append(value)
        return self._kept(result, out, written=bool(node.items))

    def _kept(self, result: Any, out: Path, *, written: bool) -> Any:
        """The mapping or list, unless everything in it was left out."""
        if result or not written:
            return result
        del self.entries[out]
        return _NOTHING

    def _text(self, node: Text, out: Path) -> Any:
        if not node.names:
            self.entries[out] = (node.origin, "")
            return node.pieces[0]
        lacking = self._lacking(node)
        if lacking in FACTS:
            asked = next((bound.origin for bound in reversed(self._asked) if bound.rank == 0), None)
            self._unset(lacking, asked or self._place.whole)
        if lacking:
            return _NOTHING
        decided = min((self._bound[name] for name in node.names), key=lambda bound: bound.rank)
        self.entries[out] = (decided.origin, "")
        return self._join(node)

    def _lacking(self, node: Text) -> str:
        """The first name of a text that has no value, else empty."""
        return next((name for name in node.names if name not in self._bound), "")

    def _join(self, node: Text) -> str:
        if not node.names:
            return node.pieces[0]
        parts = list(node.pieces)
        for index, name in enumerate(node.names):
            bound = self._bound.get(name)
            parts[2 * index + 1] = text_of(bound.value) if bound is not None else name
        return "".join(parts)

    def _when(self, node: When, out: Path) -> Any:
        before = len(self._asked)
        branch = self._branch(node)
        value = self.value(branch, out) if branch is not None else _NOTHING
        del self._asked[before:]
        return value

    def _branch(self, node: When) -> Node | None:
        """What the conditions choose; those that hold are remembered for messages."""
        for condition in node.conditions:
            result = self._number(condition)
            if result is None or not result.value:
                return node.other
            self._asked.append(result)
        return node.then

    def _number(self, node: Node | None) -> _Bound | None:
        """The value of an operand or condition with its terms; None where it is not set."""
        match node:
            case Literal():
                return _Bound(node.value, node.origin, text_of(node.value), 3)
            case Param():
                bound = self._bound.get(node.name)
                return bound if bound is not None else self._number(node.other)
            case When():
                return self._number(self._branch(node))
            case Arithmetic():
                return self._total(node)
            case _:
                return None

    def _total(self, node: Arithmetic) -> _Bound | None:
        terms = [self._number(operand) for operand in node.operands]
        known = [term for term in terms if term is not None]
        if len(known) < len(terms):
            return None
        value = _calculate(node.word, [term.value for term in known])
        decided = min(known, key=lambda term: term.rank)
        text = f" {_SIGN[node.word]} ".join(term.text for term in known).replace("+ -", "− ")
        if value is None:
            self._fault(f"{text} is beyond what Kubernetes can hold", decided.origin)
            return None
        return _Bound(value, decided.origin, text, decided.rank)

    def _unset(self, name: str, origin: Origin) -> None:
        """The template needs a fact that is not known here: a finding at the typed value that asked for it."""
        reason = self._context.missing.get(name, "it is not known here")
        text = f"template {self._template.name} needs `{name}`, but {reason}"
        typed = origin.file == self._place.whole.file and origin.file != self._template.origin.file
        if not any(fault.message.endswith(text) for fault in self.faults):
            self._fault(text, origin if typed else self._place.whole)

    def _fault(self, text: str, origin: Origin) -> None:
        self.faults.append(_misfit(text, origin, self._place))


def _plain(value: Value) -> Any:
    return value.canonical() if isinstance(value, Quantity) else value


def _calculate(word: str, values: list[Any]) -> Value | None:
    """The exact sum or product: a quantity if one takes part (rounded down to 10^-9), else a number; None beyond 64 bits."""
    quantities = [v for v in values if isinstance(v, Quantity)]
    total: int | Fraction = 1 if word == "product" else 0
    for value in values:
        # Whole numbers stay ints: exact as fractions, and many times faster.
        if isinstance(value, Quantity):
            amount: int | Fraction = Fraction(value.nano, NANO)
        else:
            amount = value if isinstance(value, int) else Fraction(str(value))
        total = total * amount if word == "product" else total + amount
    if not -_LARGEST <= total <= _LARGEST:
        return None
    if quantities:
        return Quantity(int(total * NANO), quantities[0].format)
    return int(total) if total.denominator == 1 else float(total)
