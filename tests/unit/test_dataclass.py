"""Classes of `kohort.dataclass` are those of the standard library, whatever is asked of them first."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
import threading
from dataclasses import field
from typing import ClassVar

import pytest

from kohort.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Pod:
    """Has a default, a made default and a property."""

    name: str
    gpus: int = 8
    labels: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def weight(self):
        return self.gpus * 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Named arguments only, and looks at itself when it is made."""

    name: str = ""
    rack: str

    def __post_init__(self):
        if self.rack == "none":
            raise ValueError("a node stands in a rack")


@dataclass(slots=True)
class Counter:
    """May change."""

    count: int = 0


@dataclass(eq=False, slots=True)
class Held:
    """Equal to itself alone."""

    count: int = 0


def twin(cls, **options):
    """The same class by the standard library."""
    known = {name: getattr(cls, name) for name in ("weight", "__post_init__") if hasattr(cls, name)}
    made = {each.name: _default(each) for each in dataclasses.fields(cls)}
    space = {**{k: v for k, v in made.items() if v is not dataclasses.MISSING}, **known}
    annotations = {each.name: each.type for each in dataclasses.fields(cls)}
    plain = type(cls.__name__, (), {"__annotations__": annotations, "__doc__": cls.__doc__, **space})
    plain.__qualname__ = cls.__qualname__
    return dataclasses.dataclass(slots=True, **options)(plain)


def _default(each):
    if each.default_factory is not dataclasses.MISSING:
        return field(default_factory=each.default_factory, compare=each.compare)
    return each.default


TWINS = [
    (
        Pod,
        twin(Pod, frozen=True),
        [{"name": "a"}, {"name": "a", "gpus": 1}, {"name": "b", "labels": {"x": "y"}}],
    ),
    (Node, twin(Node, frozen=True, kw_only=True), [{"rack": "r1"}, {"name": "n", "rack": "r2"}]),
    (Counter, twin(Counter), [{}, {"count": 3}]),
    (Held, twin(Held, eq=False), [{}, {"count": 3}]),
]


def outcome(work):
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - the kind and the words of the error are what is compared
        return type(error), str(error)


@pytest.mark.parametrize(("ours", "theirs", "arguments"), TWINS)
def test_answers_like_the_standard_library(ours, theirs, arguments):
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert ours.__match_args__ == theirs.__match_args__
    assert ours.__slots__ == theirs.__slots__
    assert not hasattr(ours(**arguments[0]), "__dict__")
    for one in arguments:
        mine, other = ours(**one), theirs(**one)
        assert dataclasses.asdict(mine) == dataclasses.asdict(other)
        if ours is not Held:
            assert repr(mine) == repr(other)
            assert outcome(lambda a=mine: hash(a)) == outcome(lambda a=other: hash(a))
        assert [mine == ours(**two) for two in arguments] == [other == theirs(**two) for two in arguments]
        assert mine != other, "another class is another thing"
        for copied in (copy.copy(mine), copy.deepcopy(mine), pickle.loads(pickle.dumps(mine))):
            assert dataclasses.asdict(copied) == dataclasses.asdict(mine)
        assert dataclasses.asdict(dataclasses.replace(mine)) == dataclasses.asdict(other)
    for wrong in ({"nothing": 1}, {}):
        mine, other = outcome(lambda w=wrong: ours(**w)), outcome(lambda w=wrong: theirs(**w))
        assert isinstance(mine, ours) if isinstance(other, theirs) else mine == other
    assert [(f.name, f.type, f.default, f.compare, f.kw_only) for f in dataclasses.fields(ours)] == [
        (f.name, f.type, f.default, f.compare, f.kw_only) for f in dataclasses.fields(theirs)
    ]


def test_frozen_means_frozen():
    pod = Pod("a")
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'gpus'"):
        pod.gpus = 1
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'gpus'"):
        del pod.gpus
    assert (pod.gpus, pod.weight) == (8, 16)
    counter = Counter()
    counter.count += 1
    assert counter == Counter(1)
    with pytest.raises(ValueError, match="a node stands in a rack"):
        Node(rack="none")
    match pod:
        case Pod(name, gpus):
            assert (name, gpus) == ("a", 8)


FIRST = {
    "the fields": lambda cls: dataclasses.fields(cls)[0].name == "name",
    "whether it is one": dataclasses.is_dataclass,
    "an object": lambda cls: cls("a").gpus == 8,
    "a text": lambda cls: repr(_restored(cls)) == f"{cls.__qualname__}(name='a', gpus=1)",
    "whether two are equal": lambda cls: _restored(cls) == _restored(cls),
    "a hash": lambda cls: hash(_restored(cls)) == hash(("a", 1)),
    "a pattern": lambda cls: cls.__match_args__ == ("name", "gpus"),
    "a copy": lambda cls: copy.copy(_restored(cls)).gpus == 1,
    "a replacement": lambda cls: dataclasses.replace(_restored(cls), gpus=2).gpus == 2,
    "a subclass": lambda cls: (
        dataclasses.dataclass(frozen=True)(
            type("More", (cls,), {"__annotations__": {"rack": "str"}, "rack": "r"})
        )("a", 1, "s").rack
        == "s"
    ),
}


def _restored(cls):
    """An object that was made without its own way of making it, as those from the cache are."""
    made = object.__new__(cls)
    cls.name.__set__(made, "a")
    cls.gpus.__set__(made, 1)
    return made


@pytest.mark.parametrize("first", FIRST)
def test_whatever_is_asked_first_is_written(first):
    @dataclass(frozen=True, slots=True)
    class Fresh:
        """Nobody has asked anything of it."""

        name: str
        gpus: int = 8

    assert FIRST[first](Fresh)
    assert Fresh("a", 1) == _restored(Fresh)


@pytest.mark.parametrize("given", [("a",), ("a", "s")])
def test_a_subclass_has_the_fields_of_both(given):
    def family(make):
        class Base:
            """Unwritten so far."""

            name: str

            def loud(self):
                return self.name.upper()

        made = make(Base)

        class More(made):  # type: ignore[valid-type]
            """Adds a field, and says nothing else."""

            rack: str = "r"

        return made, make(More)

    (base, more), (other_base, other_more) = (
        family(each(frozen=True, slots=True)) for each in (dataclass, dataclasses.dataclass)
    )
    assert repr(more(*given)) == repr(other_more(*given))
    assert more(*given).loud() == "A"
    assert copy.copy(more(*given)) == more(*given) != more("b")
    assert hash(more(*given)) == hash(other_more(*given))
    assert more.__slots__ == other_more.__slots__ == ("rack",)
    assert (more("a") == base("a")) is (other_more("a") == other_base("a")) is False
    assert str(inspect.signature(more)) == str(inspect.signature(other_more))


def test_a_subclass_that_types_a_field_anew_is_the_standard_library_s():
    def default(make):
        @make(frozen=True, slots=True)
        class Base:
            """Has a default."""

            name: str = "a"
            rack: str = "r"

        @make(frozen=True, slots=True)
        class More(Base):
            """Has another."""

            name: str = "b"

        return repr(More())

    assert default(dataclass) == default(dataclasses.dataclass)


@pytest.mark.parametrize(
    "options", [{"init": False}, {"kw_only": True}, {"default": 3, "repr": False}, {"default_factory": list}]
)
def test_fields_with_wishes_are_as_in_the_standard_library(options):
    body = {"__doc__": "One field.", "__annotations__": {"name": "int"}}
    ours, theirs = (
        each(frozen=True, slots=True)(type("Wish", (), {**body, "name": field(**options)}))
        for each in (dataclass, dataclasses.dataclass)
    )
    for work in (lambda cls: repr(cls()), lambda cls: repr(cls(1)), lambda cls: repr(cls(name=1))):
        mine, other = outcome(lambda w=work: w(ours)), outcome(lambda w=work: w(theirs))
        assert mine == other


@pytest.mark.parametrize(
    "body",
    [
        {"__annotations__": {"name": "str", "known": "ClassVar[int]"}, "known": 3},
        {"__annotations__": {"name": "str"}, "__repr__": lambda _: "own"},
        {"__annotations__": {"name": "str"}, "__eq__": lambda *_: True},
        {"__annotations__": {"name": "str"}, "__hash__": lambda _: 7},
    ],
)
def test_what_is_not_plain_is_left_to_the_standard_library(body):
    body = {"__doc__": "Something of its own.", **body}
    ours = dataclass(frozen=True, slots=True)(type("Own", (), dict(body)))
    theirs = dataclasses.dataclass(frozen=True, slots=True)(type("Own", (), dict(body)))
    for ask in (repr, hash, lambda one: one == "other", lambda one: type(one).__slots__):
        assert ask(ours("a")) == ask(theirs("a"))


def test_order_and_no_slots_are_the_standard_library_s():
    @dataclass(frozen=True, slots=True, order=True)
    class Rank:
        """Can be ordered."""

        number: int
        most: ClassVar[int] = 9

    @dataclass(frozen=True)
    class Open:
        """Has a dictionary."""

        number: int

    assert Rank(1) < Rank(2)
    assert Open(1).__dict__ == {"number": 1}


def test_many_threads_may_be_first():
    @dataclass(frozen=True, slots=True)
    class Fresh:
        """Nobody has asked anything of it."""

        name: str

    ready, found = threading.Barrier(8), []

    def ask():
        ready.wait()
        found.append(hash(Fresh("a")))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [hash(("a",))] * 8


def test_nothing_is_written_while_a_module_is_imported():
    code = (
        "import dataclasses\n"
        "from kohort.dataclass import dataclass\n"
        "count = []\n"
        "known = dataclasses._process_class\n"
        "dataclasses._process_class = lambda *given: count.append(1) or known(*given)\n"
        "@dataclass(frozen=True, slots=True)\n"
        "class A:\n    'Documented.'\n    a: int\n"
        "assert not count\n"
        "assert A(1).a == 1 and not count\n"
        "assert A(2) != A(1) and len(count) == 1\n"
        "assert str(A(2)) == 'A(a=2)' and len(count) == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_list_as_a_default_is_refused_where_it_is_typed():
    with pytest.raises(ValueError, match="mutable default <class 'list'> for field names is not allowed"):

        @dataclass(frozen=True, slots=True)
        class Shared:
            """All objects would share it."""

            names: list = []  # noqa: RUF012 - what is refused
