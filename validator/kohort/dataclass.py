"""`dataclass` of the standard library whose methods are written when they are first used.

Python writes and compiles up to six methods of each dataclass while its module is imported. Kohort has hundreds of
such classes and a short run needs the methods of few, so that this was a third of what a run with a warm cache takes.
Here a class with `slots=True` gets its slots at once and the rest, by the standard library, at the first call of
any of it. Whatever is not that plain (bases, own methods under these names, `ClassVar`, `order=True`) goes to the
standard library at once, so that the meaning is always its own.
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
_NO_FIELD: Final = re.compile(r"\b(?:ClassVar|InitVar|KW_ONLY)\b")
_WRITING: Final = RLock()


def _made(cls: type, options: dict[str, bool]) -> type:
    own, names = vars(cls), tuple(vars(cls).get("__annotations__", ()))
    plain = (
        options.get("slots", False)
        and options.keys() <= {"frozen", "slots", "kw_only", "eq"}
        and cls.__bases__ == (object,)
        and type(cls) is type
        and cls.__doc__ is not None
        and own.keys().isdisjoint((*_LATER, *_COMPARED, *_FROZEN, "__slots__"))
        and not any(_NO_FIELD.search(str(kind)) for kind in own.get("__annotations__", {}).values())
    )
    if not plain:
        return dataclasses.dataclass(**options)(cls)
    space = {key: value for key, value in own.items() if key not in {*names, "__dict__", "__weakref__"}}
    space["__slots__"] = names
    later = _Later(cls, {key: value for key, value in options.items() if key != "slots"})
    compared, frozen = options.get("eq", True), options.get("frozen", False)
    later.names = (*_LATER, *((_COMPARED if frozen else _COMPARED[:1]) if compared else ()))
    space.update((name, _Unwritten(later, name)) for name in later.names)
    if compared and not frozen:
        space["__hash__"] = None  # equal today, another one tomorrow
    if frozen:
        space.update(zip(_FROZEN, (_setattr, _delattr, _getstate, _setstate), strict=True))
    later.made = type(cls.__name__, cls.__bases__, space)
    later.made.__qualname__ = cls.__qualname__
    return later.made


class _Later:
    """What the standard library will write for a class: it does so on the class as it was typed, without slots."""

    def __init__(self, typed: type, options: dict[str, bool]) -> None:
        self._typed, self._options = typed, options
        self.names: tuple[str, ...] = ()
        self.made: type = typed

    def write(self) -> None:
        """Put all of it into the class that is used; the second time there is nothing left to do."""
        with _WRITING:
            if isinstance(vars(self.made)[self.names[-1]], _Unwritten):
                whole = vars(dataclasses.dataclass(**self._options)(self._typed))
                if "__replace__" in whole:  # Python 3.13
                    self.made.__replace__ = whole["__replace__"]  # type: ignore[attr-defined]
                for name in self.names:
                    setattr(self.made, name, whole[name])


class _Unwritten:
    """Stands for an attribute of a class until somebody asks for it."""

    __slots__ = ("_later", "_name")

    def __init__(self, later: _Later, name: str) -> None:
        self._later, self._name = later, name

    def __get__(self, of: object, owner: type) -> Any:
        self._later.write()
        found = vars(self._later.made)[self._name]
        return found.__get__(of, owner) if hasattr(found, "__get__") else found


def _setattr(self: object, name: str, value: object) -> None:  # noqa: ARG001 - the signature of the method
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: object, name: str) -> None:  # noqa: ARG001 - the signature of the method
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
