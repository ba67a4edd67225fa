"""Walking the models: which model or type stands at a path of a document."""

from __future__ import annotations

import types
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from kohort.dataclass import dataclass
from kohort.spans import Path


@dataclass(frozen=True, slots=True)
class FieldView:
    """A place in the language: the field that leads to it (None inside lists and at the root) and its type."""

    info: FieldInfo | None
    type: Any

    @property
    def model(self) -> type[BaseModel] | None:
        """The model whose fields stand below this place, if it is one mapping of known fields."""
        bare = plain_type(self.type)
        return bare if isinstance(bare, type) and issubclass(bare, BaseModel) else None


def plain_type(annotation: Any) -> Any:
    """The type without `Annotated` and without `| None`."""
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        elif get_origin(annotation) in (Union, types.UnionType):
            rest = [arm for arm in get_args(annotation) if arm is not type(None)]
            if len(rest) != 1:
                return annotation
            annotation = rest[0]
        else:
            return annotation


@cache
def fields_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a model under the names that people write."""
    return {info.alias or name: info for name, info in model.model_fields.items()}


def below(view: FieldView, step: str | int) -> FieldView | None:
    """The place one step further down: a field, an entry of a list, or a value of a free mapping."""
    model = view.model
    if model is not None:
        info = fields_of(model).get(step) if isinstance(step, str) else None
        return None if info is None else FieldView(info, info.annotation)
    inner = item_type(view.type)
    return None if inner is None else FieldView(None, inner)


def item_type(annotation: Any) -> Any:
    """The type of the entries of a list or of the values of a mapping, None for anything else."""
    bare = plain_type(annotation)
    args = get_args(bare)
    if get_origin(bare) is list:
        return args[0]
    if get_origin(bare) is dict:
        return args[1]
    return None


def view_at(root: type[BaseModel], path: Path) -> FieldView | None:
    """What the language has at `path` of a document of this kind."""
    view: FieldView | None = FieldView(None, root)
    for step in path:
        if view is None:
            return None
        view = below(view, step)
    return view


def choices(annotation: Any) -> tuple[str, ...]:
    """The words that a field takes, empty when it is not a choice."""
    bare = plain_type(annotation)
    return tuple(str(word) for word in get_args(bare)) if get_origin(bare) is Literal else ()
