"""Random objects of Kueue's kinds: recorded ones with changes that know the schema, some gentle and some wild."""

from __future__ import annotations

import copy
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from kohort.objects.schema import MISSING, SchemaNode, table_for

CONFORMANCE = Path(__file__).parents[1] / "conformance"
sys.path.insert(0, str(CONFORMANCE / "inputs"))

from edit import NAMES, QUANTITIES  # noqa: E402

Object = dict[str, Any]
Place = tuple[str, ...]  # keys, with `*` for an index or a free key
KUEUE = "0.19.1"
_LARGE = 6000  # characters; inputs for the limits have hundreds of entries and are offered as they are
_TEXTS = [*NAMES.values(), "cpu", "memory", "nvidia.com/gpu", "pods", "default", "a/b/c", "kubernetes.io/hostname", "x" * 64, "x" * 317]  # fmt: skip
# No whole number with a point: clients send 7.0 of a file as 7 (NOTES.md, "Numbers").
_INTEGERS = [0, 1, 2, 5, 100, -1, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 1.5, "7", None, True]
_ODD = [None, True, 7, -1, 1.5, "", "text", [], {}, ["a"], {"a": "b"}, [None], [[]], {"": ""}]
_META: list[tuple[str, list[Any]]] = [
    ("labels", [{}, None, {"a": "b"}, {"a/b": "c"}, {"A_b.c": "x" * 63}, {"a": "x" * 64}, {"a b": "c"}, {"": "c"}, {"a": None}, {"a": 1}, [], "a", {"kueue.x-k8s.io/queue-name": "q"}, {"a/b/c": "d"}, {"a": "-b"}]),
    ("annotations", [{}, None, {"a": "b"}, {"a b": "c"}, {"a": "x" * 300}, {"A.b/C": ""}, {"a": 1}, {"a": None}, {"-a": "b"}, "a", {"x" * 64: "a"}, {"Ex/a": "b"}]),
    ("finalizers", [[], None, ["example.com/a"], ["a"], ["kueue.x-k8s.io/resource-in-use"], ["a b"], [1], "a", ["example.com/A_b"]]),
    ("ownerReferences", [[], None, [{"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "1"}], [{"apiVersion": "v1", "kind": "ConfigMap", "name": "o"}], [{}], [{"apiVersion": "v1", "kind": "Event", "name": "o", "uid": "1"}]]),
    ("name", [*NAMES.values(), None, 7]),
    ("generateName", ["blue-", "", "Blue-", None, 7]),
    ("uid", ["1", "", None, 7]),
    ("creationTimestamp", [None, "2026-01-01T00:00:00Z", "yesterday", 7]),
    ("generation", [1, None, "1", -1]),
    ("deletionTimestamp", [None, "2026-01-01T00:00:00Z"]),
    ("resourceVersion", ["", None, 1]),
    ("selfLink", ["", "/a", None]),
    ("managedFields", [None, []]),
    ("labelz", ["a"]),
]  # fmt: skip


def recorded(kind: str) -> list[tuple[Object, bool]]:
    """The objects that were offered to a real server before, with its answer."""
    text = (CONFORMANCE / "webhooks" / f"{kind.lower()}.yaml").read_text(encoding="utf-8")
    verdicts = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["verdicts"]
    return [(each["object"], each["accepted"]) for each in verdicts if isinstance(each["object"], dict)]


class Objects:
    """Makes objects of one kind; the same seed makes the same ones."""

    def __init__(self, kind: str, seed: int) -> None:
        self._kind = kind
        self._random = random.Random(seed)
        self._accepted: list[Object] = []
        self._refused: list[Object] = []
        self._large: list[Object] = []
        self._pool: dict[Place, list[Any]] = defaultdict(list)
        for each, accepted in recorded(kind):
            if len(str(each)) > _LARGE:
                self._large.append(each)
                continue
            (self._accepted if accepted else self._refused).append(each)
            for place, value in _places(each):
                self._pool[place].append(value)

    def draw(self) -> Object:
        """The next object: mostly one that a server took, with up to four changes; some that it refused, with one."""
        rng = self._random
        which = rng.random()
        if which < 0.01 and self._large:
            return copy.deepcopy(rng.choice(self._large))
        if which < 0.12:
            result, changes = copy.deepcopy(rng.choice(self._refused)), rng.randrange(2)
        else:
            result = copy.deepcopy(rng.choice(self._accepted))
            changes = rng.choices((0, 1, 2, 3, 4), (7, 43, 30, 13, 7))[0]
        for _ in range(changes):
            self._change(result)
        if rng.random() < 0.03 and "apiVersion" in result:
            result["apiVersion"] = rng.choice(
                [f"kueue.x-k8s.io/{v}" for v in ("v1beta1", "v1beta2", "v1alpha1", "v1")]
            )
        return result

    def _change(self, each: Object) -> None:
        rng = self._random
        if rng.random() < 0.12:
            self._change_metadata(each)
            return
        spots = list(self._spots(each))
        if not spots:
            return
        holder, key, node, place = rng.choice(spots)
        rng.choices(
            (self._splice, self._remove, self._retype, self._add, self._repeat),
            (45, 12, 28, 10, 8),
        )[0](holder, key, node, place)

    def _change_metadata(self, each: Object) -> None:
        meta = each.get("metadata")
        if not isinstance(meta, dict):
            return
        name, values = self._random.choice(_META)
        meta[name] = copy.deepcopy(self._random.choice(values))

    def _spots(self, each: Object) -> Iterator[tuple[Any, Any, SchemaNode | None, Place]]:
        """Every place below the root but metadata: what holds it, its key, its schema."""
        root = table_for(str(each.get("apiVersion")), self._kind, KUEUE)
        for key in each:
            if key in ("apiVersion", "kind", "metadata"):
                continue
            node = root.fields.get(key) if root else None
            yield from self._below(each, key, node, (key,))

    def _below(
        self, holder: Any, key: Any, node: SchemaNode | None, place: Place
    ) -> Iterator[tuple[Any, Any, SchemaNode | None, Place]]:
        yield holder, key, node, place
        value = holder[key]
        if isinstance(value, dict):
            for name in value:
                below = (node.fields.get(name) or node.entries) if node else None
                known = node is None or name in node.fields
                yield from self._below(value, name, below, (*place, name if known else "*"))
        elif isinstance(value, list):
            for index in range(len(value)):
                yield from self._below(value, index, node.items if node else None, (*place, "*"))

    def _splice(self, holder: Any, key: Any, node: SchemaNode | None, place: Place) -> None:
        found = self._pool.get(place)
        if found:
            holder[key] = copy.deepcopy(self._random.choice(found))
        else:
            self._retype(holder, key, node, place)

    def _remove(self, holder: Any, key: Any, node: SchemaNode | None, place: Place) -> None:
        del holder[key]

    def _retype(self, holder: Any, key: Any, node: SchemaNode | None, place: Place) -> None:
        rng = self._random
        holder[key] = copy.deepcopy(rng.choice(_ODD)) if rng.random() < 0.2 else self._value(node)

    def _add(self, holder: Any, key: Any, node: SchemaNode | None, place: Place) -> None:
        """Add a known field that is absent, or one that nobody knows."""
        rng, value = self._random, holder[key]
        if isinstance(value, dict):
            absent = sorted(set(node.fields) - set(value)) if node else []
            if absent and rng.random() < 0.85:
                name = rng.choice(absent)
                found = self._pool.get((*place, name))
                value[name] = copy.deepcopy(rng.choice(found)) if found else self._value(node.fields[name])  # type: ignore[union-attr]
            else:
                value[rng.choice(["unknown", "a", "example.com/b", "", "x" * 64])] = rng.choice(
                    ["text", 1, None]
                )
        elif isinstance(value, list):
            value.insert(rng.randrange(len(value) + 1), self._value(node.items if node else None))
        else:
            self._retype(holder, key, node, place)

    def _repeat(self, holder: Any, key: Any, node: SchemaNode | None, place: Place) -> None:
        """Say something twice, the second time perhaps a little otherwise."""
        value = holder[key]
        if not isinstance(value, list) or not value:
            self._splice(holder, key, node, place)
            return
        twice = copy.deepcopy(self._random.choice(value))
        if isinstance(twice, dict) and twice and self._random.random() < 0.5:
            name = self._random.choice(sorted(twice))
            self._retype(
                twice,
                name,
                (node.items.fields.get(name) if node and node.items else None),
                (*place, "*", name),
            )
        value.append(twice)

    def _value(self, node: SchemaNode | None, depth: int = 0) -> Any:
        """A value that the schema might like."""
        rng = self._random
        if node is None or depth > 5:
            return copy.deepcopy(rng.choice(_ODD))
        if node.default is not MISSING and rng.random() < 0.1:
            return copy.deepcopy(node.default)
        makers: dict[str, Callable[[], Any]] = {
            "object": lambda: self._object(node, depth),
            "array": lambda: [self._value(node.items, depth + 1) for _ in range(rng.choice((0, 1, 1, 2)) or (node.min_items or 0))],
            "string": lambda: self._text(node),
            "integer": lambda: rng.choice(_INTEGERS if rng.random() < 0.4 else [node.minimum or 0, 1, 3, node.maximum or 10]),
            "boolean": lambda: rng.choice((True, False, False, True, "true", None)),
            "int-or-string": lambda: rng.choice(list(QUANTITIES.values()) if rng.random() < 0.5 else ["1", "8", 5, "2Gi", "0"]),
        }  # fmt: skip
        return makers[node.type]() if node.type in makers else copy.deepcopy(rng.choice(_ODD))

    def _object(self, node: SchemaNode, depth: int) -> Any:
        rng = self._random
        chosen = [name for name in node.fields if name in node.required or rng.random() < 0.3 / (depth + 1)]
        made = {name: self._value(node.fields[name], depth + 1) for name in chosen}
        if node.entries is not None:
            for name in rng.sample(
                ["a", "cpu", "nvidia.com/gpu", "A b", "example.com/x"], rng.choice((0, 1, 1, 2))
            ):
                made[name] = self._value(node.entries, depth + 1)
        return made

    def _text(self, node: SchemaNode) -> Any:
        rng = self._random
        if node.enum and rng.random() < 0.8:
            return rng.choice(node.enum)
        if node.max_length is not None and rng.random() < 0.1:
            return "a" * (node.max_length + rng.choice((0, 1)))
        if node.format == "date-time":
            return rng.choice(["2026-01-01T00:00:00Z", "2026-01-01", "", "2026-01-01T00:00:00.5+01:00"])
        return (
            rng.choice(_TEXTS)
            if rng.random() < 0.5
            else rng.choice(["a", "blue", "red", "nvidia.com/gpu", "cpu"])
        )


def _places(each: Object) -> Iterator[tuple[Place, Any]]:
    """Every value of an object with its place, so that it can be put there in another one."""
    root = table_for(str(each.get("apiVersion")), str(each.get("kind")), KUEUE)

    def below(value: Any, node: SchemaNode | None, place: Place) -> Iterator[tuple[Place, Any]]:
        yield place, value
        if isinstance(value, dict):
            for name, part in value.items():
                known = node is None or name in node.fields
                inner = (node.fields.get(name) or node.entries) if node else None
                yield from below(part, inner, (*place, name if known else "*"))
        elif isinstance(value, list):
            for part in value:
                yield from below(part, node.items if node else None, (*place, "*"))

    for key, value in each.items():
        if key not in ("apiVersion", "kind", "metadata"):
            yield from below(value, root.fields.get(key) if root else None, (key,))


def smaller(each: Object, still: Callable[[Object], bool], tries: int = 200) -> Object:
    """Leave out parts for as long as the result is `still` interesting; at most so many questions."""
    left = tries

    def cuts(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        keys: list[Any] = (
            list(value)
            if isinstance(value, dict)
            else list(range(len(value)))
            if isinstance(value, list)
            else []
        )
        for key in keys:
            if path or key not in ("apiVersion", "kind"):
                yield (*path, key)
        for key in keys:
            yield from cuts(value[key], (*path, key))

    again = True
    while again and left > 0:
        again = False
        for path in list(cuts(each, ())):
            shorter = copy.deepcopy(each)
            at: Any = shorter
            for key in path[:-1]:
                at = at[key]
            del at[path[-1]]
            left -= 1
            if still(shorter):
                each, again = shorter, True
                break
            if left <= 0:
                break
    return each
