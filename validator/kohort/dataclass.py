"""`dataclass` of the standard library whose methods are written when they are first used.

Python writes and compiles up to six methods of each dataclass while its module is imported. Kohort has hundreds of
such classes and a short run needs the methods of few, so that this was a third of what a run with a warm cache takes.
Here a class with `slots=True` gets its slots at once, `__init__` when the first object is made, and the rest, by the
standard library, when any of it is asked for. Whatever is not that plain (other bases, own methods under these names,
`ClassVar`, `order=True`) goes to the standard library at once, so that the meaning is always its own.
"""

from __future__ import annotations

import dataclasses
import re
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """As `dataclasses.dataclass`, with the same options."""
        return _made(cls, options) if cls is not None else lambda each: _made(each, options)


__all__ = ["dataclass"]

_LATER: Final = ("__init__", "__repr__", "__dataclass_fields__", "__dataclass_params__", "__match_args__")
_COMPARED: Final = ("__eq__", "__hash__")
_FROZEN: Final = ("__setattr__", "__delattr__", "__getstate__", "__setstate__")
_KNOWN: Final = "_kohort_later"
_NO_FIELD: Final = re.compile(r"\b(?:ClassVar|InitVar|KW_ONLY)\b")
_WRITING: Final = RLock()

_Fields = dict[str, tuple[Any, Any, bool]]
"""Name → kind, default, whether it is given by name only."""


class _Later:
    """What is still to be written for a class, and the class as it was typed, without slots."""

    def __init__(self, typed: type, options: dict[str, bool], base: _Later | None) -> None:
        self.typed = typed
        self.options = {key: value for key, value in options.items() if key != "slots"}
        own = {
            name: (kind, vars(typed).get(name, dataclasses.MISSING), options.get("kw_only", False))
            for name, kind in vars(typed).get("__annotations__", {}).items()
        }
        inherited: _Fields = base.fields if base is not None else {}
        self.fields: _Fields = {**inherited, **own}
        frozen, compared = options.get("frozen", False), options.get("eq", True)
        self.names = (*_LATER, *((_COMPARED if frozen else _COMPARED[:1]) if compared else ()))
        self.made = typed

    def write(self) -> None:
        """Put everything into the class that is used; the second time there is nothing left to do."""
        with _WRITING:
            if isinstance(vars(self.made)[self.names[-1]], _Unwritten):
                whole = vars(dataclasses.dataclass(**self.options)(self.typed))
                if "__replace__" in whole:  # Python 3.13
                    self.made.__replace__ = whole["__replace__"]  # type: ignore[attr-defined]
                for name in self.names:
                    if isinstance(vars(self.made)[name], _Unwritten):
                        setattr(self.made, name, whole[name])

    def write_init(self) -> None:
        """Only what makes objects, which is all that most classes need."""
        with _WRITING:
            if isinstance(vars(self.made)["__init__"], _Unwritten):
                init = _init(self)
                if init is None:
                    self.write()
                else:
                    self.made.__init__ = init  # type: ignore[misc]


class _Unwritten:
    """Stands for an attribute of a class until somebody asks for it."""

    __slots__ = ("_later", "_name")

    def __init__(self, later: _Later, name: str) -> None:
        self._later, self._name = later, name

    def __get__(self, of: object, owner: type) -> Any:
        if self._name == "__init__":
            self._later.write_init()
        else:
            self._later.write()
        found = vars(self._later.made)[self._name]
        return found.__get__(of, owner) if hasattr(found, "__get__") else found


def _made(cls: type, options: dict[str, bool]) -> type:
    own, base = vars(cls), vars(cls.__bases__[0]).get(_KNOWN)
    names: dict[str, Any] = own.get("__annotations__", {})
    plain = (
        options.get("slots", False)
        and options.keys() <= {"frozen", "slots", "kw_only", "eq"}
        and len(cls.__bases__) == 1
        and (cls.__bases__[0] is object or _continues(base, names, options))
        and type(cls) is type
        and cls.__doc__ is not None
        and own.keys().isdisjoint((*_LATER, *_COMPARED, *_FROZEN, "__slots__"))
        and not any(_NO_FIELD.search(str(kind)) for kind in names.values())
        and not any(type(own.get(name)).__hash__ is None for name in names)  # a list as a default is refused
    )
    if not plain:
        return dataclasses.dataclass(**options)(cls)
    later = _Later(cls, options, base)
    space = {key: value for key, value in own.items() if key not in {*names, "__dict__", "__weakref__"}}
    space |= {"__slots__": tuple(names), _KNOWN: later}
    space |= {name: _Unwritten(later, name) for name in later.names}
    if options.get("frozen"):
        space.update(zip(_FROZEN, (_setattr, _delattr, _getstate, _setstate), strict=True))
    elif options.get("eq", True):
        space["__hash__"] = None  # equal today, another one tomorrow
    later.made = type(cls.__name__, cls.__bases__, space)
    later.made.__qualname__ = cls.__qualname__
    return later.made


def _continues(base: _Later | None, names: dict[str, Any], options: dict[str, bool]) -> bool:
    """Whether a class adds fields to one of ours, both frozen or neither."""
    return (
        base is not None
        and base.fields.keys().isdisjoint(names)
        and base.options.get("frozen", False) == options.get("frozen", False)
        and base.options.get("eq", True) == options.get("eq", True)
    )


def _init(later: _Later) -> Any:
    """`__init__` as the standard library would write it; None where a field asks for more than a default."""
    by_place: list[str] = []
    by_name: list[str] = []
    body = []
    known: dict[str, Any] = {"_set": object.__setattr__, "_made_here": _MADE_HERE}
    frozen = later.options.get("frozen", False)
    for name, (_, given, only_by_name) in later.fields.items():
        value, text, default = name, name, given
        if isinstance(given, dataclasses.Field):
            if not given.init or given.kw_only is not dataclasses.MISSING:
                return None
            default = given.default
            if given.default_factory is not dataclasses.MISSING:
                known[f"_new_{name}"] = given.default_factory
                value, text = f"_new_{name}() if {name} is _made_here else {name}", f"{name}=_made_here"
        if default is not dataclasses.MISSING:
            known[f"_default_{name}"] = default
            text = f"{name}=_default_{name}"
        elif text == name and by_place and "=" in by_place[-1] and not only_by_name:
            return None  # the standard library has the words for it
        (by_name if only_by_name else by_place).append(text)
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(later.made, "__post_init__"):
        body.append("self.__post_init__()")
    taken = ", ".join(["self", *by_place, *(["*", *by_name] if by_name else [])])
    exec("\n ".join([f"def __init__({taken}):", *(body or ["pass"])]), known)  # noqa: S102 - from our own source
    init = known["__init__"]
    init.__annotations__ = {**{name: kind for name, (kind, _, _) in later.fields.items()}, "return": None}
    init.__qualname__ = f"{later.made.__qualname__}.__init__"
    init.__module__ = later.made.__module__
    return init


class _MadeHere:
    """The default of a field whose value is made for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE_HERE: Final = _MadeHere()


def _setattr(self: object, name: str, value: object) -> None:  # noqa: ARG001 - the signature of the method
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: object, name: str) -> None:  # noqa: ARG001 - the signature of the method
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
