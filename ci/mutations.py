"""The mutations of one Python file: small changes that a test should notice, each with its place and description.

Changed are what functions and constants say: comparisons, conditions, numbers, arithmetic, `not`, `and` and `or`, `min`
and `max`, whole bodies. Not changed are docstrings and messages (no string is), annotations, decorators, and the
`strict` of `zip`, which is an assertion.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

_COMPARE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_BINARY: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_SIGN: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not", ast.Add: "+", ast.Sub: "-", ast.Mult: "*",
    ast.FloorDiv: "//", ast.Div: "/", ast.Mod: "%", ast.BitOr: "|", ast.BitAnd: "&", ast.And: "and", ast.Or: "or",
}  # fmt: skip
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_TEXTS = (ast.JoinedStr, ast.Tuple, ast.List, ast.ListComp)
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_MAX_SHOWN = 70


@dataclass(frozen=True)
class Mutant:
    """One change: `index` counts within the file, `function` is the qualified name, empty at module level.

    `lines` are those of the statement: the tests that run one of them can notice. `source` is kept so that a file that
    is edited meanwhile does not matter.
    """

    file: Path
    index: int
    line: int
    lines: tuple[int, int]
    function: str
    what: str
    source: bytes


@dataclass
class _Change:
    node: ast.AST
    what: str
    field: str
    value: object
    place: int | None = None  # position in the list that the field holds

    def apply(self) -> None:
        if self.place is None:
            setattr(self.node, self.field, self.value)
        else:
            getattr(self.node, self.field)[self.place] = self.value


def mutants(file: Path) -> list[Mutant]:
    """All mutants of a file, in order of the source."""
    source = file.read_bytes()
    return [
        Mutant(file, index, spot.line, spot.lines, spot.function, change.what, source)
        for index, (change, spot) in enumerate(_changes(ast.parse(source), _Spot()))
    ]


def mutated(mutant: Mutant) -> ast.Module:
    """The tree of the file with that one change; lines stay as they are."""
    tree = ast.parse(mutant.source)
    change = [each for each, _ in _changes(tree, _Spot())][mutant.index]
    change.apply()
    return ast.fix_missing_locations(tree)


@dataclass(frozen=True)
class _Spot:
    """Where the walk is: `function` is the outermost function, `prefix` begins the names of what is defined here."""

    line: int = 1
    lines: tuple[int, int] = (1, 1)
    function: str = ""
    prefix: str = ""


def _changes(node: ast.AST, spot: _Spot) -> Iterator[tuple[_Change, _Spot]]:
    if isinstance(node, ast.stmt):
        end = node.lineno if hasattr(node, "body") else (node.end_lineno or node.lineno)
        spot = replace(spot, line=node.lineno, lines=(node.lineno, end))
    for change in _own(node):
        line = _line(change.node) if not isinstance(change.node, ast.stmt) else spot.line
        yield change, replace(spot, line=line, lines=(spot.lines[0], max(spot.lines[1], line)))
    if isinstance(node, _FUNCTION):
        yield from _in_function(node, spot)
        return
    if isinstance(node, ast.ClassDef):
        for child in node.body:
            yield from _changes(child, replace(spot, prefix=f"{spot.prefix}{node.name}."))
        return
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"} or _skipped(node):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _changes(child, spot)


def _in_function(
    node: ast.FunctionDef | ast.AsyncFunctionDef, spot: _Spot
) -> Iterator[tuple[_Change, _Spot]]:
    name = f"{spot.prefix}{node.name}"
    for change in _own(node.args):  # defaults that are plain values
        yield change, spot
    for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d)):
        yield from _changes(default, spot)
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    if not body or (isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)):
        return
    first = body[0]
    inside = replace(spot, function=spot.function or name, prefix=f"{name}.<locals>.")
    lines = (first.lineno, first.lineno if hasattr(first, "body") else first.end_lineno or first.lineno)
    yield _early_return(node, first), replace(inside, line=first.lineno, lines=lines)
    for child in body:
        yield from _changes(child, inside)


def _line(node: ast.AST) -> int:
    """The first line that the node or a part of it has (a comprehension's clause has none of its own)."""
    return next((each.lineno for each in ast.walk(node) if hasattr(each, "lineno")), 1)


def _skipped(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def _early_return(node: ast.FunctionDef | ast.AsyncFunctionDef, first: ast.stmt) -> _Change:
    place = node.body.index(first)
    value = [*node.body[:place], ast.copy_location(ast.Return(value=None), first), *node.body[place:]]
    return _Change(node, f"{node.name}: returns at once", "body", value)


def _own(node: ast.AST) -> Iterator[_Change]:
    shown = _shown(node)
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            for other in _COMPARE[type(op)]:
                yield _Change(node, f"{_SIGN[type(op)]} → {_SIGN[other]} in `{shown}`", "ops", other(), place)
    elif isinstance(node, ast.BoolOp):
        other_op = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield _Change(node, f"{_SIGN[type(node.op)]} → {_SIGN[other_op]} in `{shown}`", "op", other_op())
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _BINARY:
        if not _is_text(node):
            other_binary = _BINARY[type(node.op)]
            yield _Change(
                node, f"{_SIGN[type(node.op)]} → {_SIGN[other_binary]} in `{shown}`", "op", other_binary()
            )
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
        other_name = _CALLS[node.func.id]
        name = ast.copy_location(ast.Name(other_name, ast.Load()), node.func)
        yield _Change(node, f"{node.func.id} → {other_name} in `{shown}`", "func", name)
    yield from _conditions(node)
    yield from _children(node)


def _is_text(node: ast.BinOp | ast.AugAssign) -> bool:
    """Sums of texts and lists only crash when they become differences: no test is needed to see that."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    return any(
        isinstance(side, _TEXTS) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def _conditions(node: ast.AST) -> Iterator[_Change]:
    """Conditions that are no comparison (those are flipped) are negated."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        tests = [("test", None, node.test)]
    elif isinstance(node, ast.comprehension):
        tests = [("ifs", place, test) for place, test in enumerate(node.ifs)]
    else:
        return
    for field, place, test in tests:
        if isinstance(test, (ast.Compare, ast.UnaryOp)) or "TYPE_CHECKING" in ast.dump(test):
            continue
        negated = ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
        yield _Change(node, f"negated `{_shown(test)}`", field, negated, place)


def _children(node: ast.AST) -> Iterator[_Change]:
    """Children that are replaced as a whole: `not x`, `-x`, numbers and truth values."""
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list"} or _skipped(node):
            continue
        several = isinstance(value, list)
        for place, child in enumerate(value if several else [value]):
            at = place if several else None
            if isinstance(child, ast.UnaryOp) and isinstance(child.op, (ast.Not, ast.USub)):
                sign = "not" if isinstance(child.op, ast.Not) else "-"
                yield _Change(node, f"dropped {sign} in `{_shown(child)}`", field, child.operand, at)
            if not isinstance(child, ast.Constant) or isinstance(node, (ast.Expr, ast.JoinedStr)):
                continue
            for new in _other_values(child.value):
                constant = ast.copy_location(ast.Constant(new), child)
                yield _Change(node, f"{child.value} → {new} in `{_shown(node)}`", field, constant, at)


def _other_values(value: object) -> tuple[object, ...]:
    if isinstance(value, bool):
        return (not value,)
    return (value + 1, value - 1) if isinstance(value, int) else ()


def _shown(node: ast.AST) -> str:
    try:
        text = " ".join(ast.unparse(node).split())
    except (AttributeError, ValueError):  # parts of a statement cannot be written alone
        return type(node).__name__
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
