"""Numbers that are drawn once per job: a plain value, or one distribution.

`duration: 30s`, `duration: {lognormal: {median: 1h, sigma: 1.2}}`, `gpus: {choice: [{value: 1, weight: 3}, {value: 8}]}`.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Self, TypeAlias, TypeVar

from pydantic import (
    Field,
    GetJsonSchemaHandler,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from kohort.model.kinds.base import Strict, problem
from kohort.model.kinds.fields import Count, NumberField, Positive
from kohort.model.kinds.moments import PositiveLength
from kohort.model.kinds.shorthand import plain_for, plain_or_mapping
from kohort.model.scenario import Draw

Value = TypeVar("Value")
_LAWS = ("fixed", "uniform", "normal", "lognormal", "choice")


class _Law(Strict, Generic[Value]):
    """A model of one law, made for lengths and for counts; both have its description."""

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """What pydantic makes of a generic model has no text of its own."""
        cls.__doc__ = cls.__doc__ or cls.__mro__[1].__doc__


class UniformField(_Law[Value], Generic[Value]):
    """Every value from one to the other is as likely."""

    low: Value = Field(alias="from", description="Least value.", examples=["10m", 1])
    high: Value = Field(alias="to", description="Largest value.", examples=["2h", 8])

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if isinstance(self.low, int) and isinstance(self.high, int) and self.high < self.low:
            raise problem("SRC105", "is less than `from`", "to")
        return self


class NormalField(_Law[Value], Generic[Value]):
    """The bell curve."""

    mean: Value = Field(description="Mean.", examples=["1h", 4])
    deviation: Value = Field(description="Standard deviation.", examples=["10m", 2])
    least: Value | None = Field(
        default=None, description="What is below is moved up to it (default: 1, or 1ms).", examples=["1m", 1]
    )
    most: Value | None = Field(
        default=None, description="What is above is moved down to it.", examples=["24h", 8]
    )


class LognormalField(_Law[Value], Generic[Value]):
    """Many small values and few very large ones, as sizes and run times of jobs mostly are."""

    median: Value = Field(description="Half of the values are below.", examples=["1h", 4])
    sigma: NumberField = Field(
        description="Spread: the standard deviation of the logarithm; 1 is wide, 2 very wide.", examples=[1.2]
    )
    least: Value | None = Field(
        default=None, description="What is below is moved up to it.", examples=["1m", 1]
    )
    most: Value | None = Field(
        default=None, description="What is above is moved down to it.", examples=["24h", 8]
    )

    @model_validator(mode="after")
    def _spread(self) -> Self:
        if not 0 < self.sigma <= 10:
            raise problem("SRC105", "is not above 0 and at most 10", "sigma")
        return self


class ChoiceField(_Law[Value], Generic[Value]):
    """One of several values."""

    value: Value = Field(description="The value.", examples=["30s", 8])
    weight: NumberField = Field(default=1, description="How likely, beside the other weights.", examples=[3])

    @model_validator(mode="after")
    def _weighed(self) -> Self:
        if not 0 < self.weight <= 1_000_000_000:
            raise problem("SRC105", "is not above 0", "weight")
        return self


class DrawModel(_Law[Value], Generic[Value]):
    """A plain value, or exactly one distribution."""

    fixed: Value | None = Field(default=None, description="Always this value.", examples=["30s", 8])
    uniform: UniformField[Value] | None = Field(
        default=None,
        description="Any value between two, all as likely.",
        examples=[{"from": "10m", "to": "2h"}],
    )
    normal: NormalField[Value] | None = Field(
        default=None,
        description="Around a mean, by the bell curve.",
        examples=[{"mean": "1h", "deviation": "10m"}],
    )
    lognormal: LognormalField[Value] | None = Field(
        default=None,
        description="Around a median, with few very large values.",
        examples=[{"median": "1h", "sigma": 1.2}],
    )
    choice: list[ChoiceField[Value]] | None = Field(
        default=None,
        description="One of these, by weight.",
        examples=[[{"value": "30s", "weight": 3}, {"value": "10m"}]],
        min_length=1,
    )

    @model_validator(mode="after")
    def _one_law(self) -> Self:
        given = [law for law in _LAWS if law in self.model_fields_set]
        if not given:
            raise problem("SRC103", "one of " + ", ".join(f"`{law}`" for law in _LAWS))
        if len(given) > 1:
            raise problem("SRC105", f"a number has one law, not `{given[0]}` and `{given[1]}`", given[1])
        if getattr(self, given[0]) is None:
            raise problem("SRC105", "is empty", given[0])
        return self

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """A plain value stands for `fixed`."""
        return plain_or_mapping("fixed", schema, handler)

    def declare(self) -> Draw:
        """As the core sees it."""
        if self.uniform is not None:
            return Draw(kind="uniform", low=_int(self.uniform.low), high=_int(self.uniform.high))
        if self.normal is not None:
            bell = self.normal
            return Draw(
                kind="normal",
                mean=_int(bell.mean),
                deviation=_int(bell.deviation),
                low=_int(bell.least, 1),
                high=None if bell.most is None else _int(bell.most),
            )
        if self.lognormal is not None:
            skewed = self.lognormal
            return Draw(
                kind="lognormal",
                mean=_int(skewed.median),
                deviation=float(skewed.sigma),
                low=_int(skewed.least, 1),
                high=None if skewed.most is None else _int(skewed.most),
            )
        if self.choice is not None:
            return Draw(
                kind="choice",
                values=tuple(_int(entry.value) for entry in self.choice),
                weights=tuple(float(entry.weight) for entry in self.choice),
                low=0,
            )
        return Draw(kind="fixed", values=(_int(self.fixed),), low=0)


def _int(value: object, default: int = 0) -> int:
    return value if isinstance(value, int) else default


def _plain(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    return plain_for("fixed", value, read)


CountDraw: TypeAlias = Annotated[DrawModel[Positive], WrapValidator(_plain)]
NumberDraw: TypeAlias = Annotated[DrawModel[Count], WrapValidator(_plain)]
LengthDraw: TypeAlias = Annotated[DrawModel[PositiveLength], WrapValidator(_plain)]
