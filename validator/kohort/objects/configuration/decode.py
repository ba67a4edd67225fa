"""Strict decoding of a Configuration: unknown fields and values of another type stop the manager.

Source: sigs.k8s.io/json as used by the Kubernetes YAML serializer with strict decoding; `metav1.Duration`,
`resource.Quantity`. Field names count with their case. Null stands for an absent value, except where a duration that
is no pointer would be read from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kohort.diagnostics.suggest import did_you_mean
from kohort.objects.configuration.fault import Fault
from kohort.objects.configuration.fields import elsewhere, fields, is_struct
from kohort.objects.durations import DurationError, parse_duration
from kohort.objects.names import visible
from kohort.objects.quantity import Quantity, QuantityError
from kohort.objects.versions import shown_version
from kohort.spans import Path

_RANGES: Final = {"int32": 2**31, "int64": 2**63}
_DEEPEST: Final = 64
# Fields that another API version calls by its presence alone.
_ADVICE: Final = {
    ("WaitForPodsReady", "enable"): "v1beta2 has no enable: the block alone turns it on; leave the key out",
    ("FairSharing", "enable"): "v1beta2 has no enable: the block alone turns it on; leave the key out",
    ("Integrations", "podOptions"): "use managedJobsNamespaceSelector",
    ("Configuration", "queueVisibility"): "it is gone; pending workloads are read through the visibility API",
    ("Configuration", "metadata"): "a configuration file has no metadata; only the ConfigMap around it does",
}


def decode(value: Mapping[str, Any], api: str, kueue: str) -> list[Fault]:
    """What strict decoding has against the document, in its order. `api` is `v1beta1` or `v1beta2`."""
    return list(_Decoder(api, kueue).struct(value, "Configuration", ()))


class _Decoder:
    def __init__(self, api: str, kueue: str) -> None:
        self.api = api
        self.kueue = kueue

    def struct(self, value: Mapping[str, Any], name: str, path: Path) -> Iterator[Fault]:
        """Fields of a mapping that the type `name` does not have, and what is wrong inside those that it has."""
        known = fields(name, self.api, self.kueue)
        for key, item in value.items():
            if key in known:
                yield from self.value(item, known[key], (*path, key))
            else:
                yield Fault((*path, str(key)), "field", "unknown field", self._advice(name, str(key), known))

    def _advice(self, struct: str, key: str, known: Mapping[str, str]) -> tuple[str, ...]:
        if (struct, key) in _ADVICE:
            return (_ADVICE[struct, key],)
        other = elsewhere(struct, key)
        if other is not None:
            if other.api and other.api != self.api:
                return (f"only {other.api} has this field, the document is {self.api}",)
            return (
                f"this field came with Kueue {other.since}; the cluster runs {shown_version(self.kueue)}",
            )
        close = did_you_mean(key, known)
        return (f"did you mean {' or '.join(close)}?",) if close else ()

    def value(self, value: Any, kind: str, path: Path) -> Iterator[Fault]:
        """What is wrong with one value of a kind as the field tables spell it; null is absent but in `duration!`."""
        if value is None and kind != "duration!":
            return
        if len(path) > _DEEPEST:
            return
        if kind.startswith("["):
            if not isinstance(value, list):
                yield _wrong(path, "a list", value)
                return
            for index, item in enumerate(value):
                yield from self.value(item, kind[1:-1], (*path, index))
        elif kind.startswith("{") or is_struct(kind):
            if not isinstance(value, Mapping):
                yield _wrong(path, "a mapping", value)
            elif is_struct(kind):
                yield from self.struct(value, kind, path)
            else:
                for key, item in value.items():
                    yield from self.value(item, kind[1:-1], (*path, str(key)))
        else:
            fault = _scalar(value, kind, path)
            if fault is not None:
                yield fault


def _scalar(value: Any, kind: str, path: Path) -> Fault | None:
    if kind == "string":
        return None if isinstance(value, str) else _wrong(path, "text", value, quote=True)
    if kind == "bool":
        return None if isinstance(value, bool) else _wrong(path, "true or false", value)
    if kind.startswith("duration"):
        return _duration(value, path)
    if kind == "quantity":
        return _quantity(value, path)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return _wrong(path, "a number" if kind == "float" else "a whole number", value)
    if kind == "float":
        return None
    bound = _RANGES[kind]
    if isinstance(value, float) and not value.is_integer():
        return _wrong(path, "a whole number", value)
    if not -bound <= value < bound:
        return Fault(path, "type", f"must fit into {kind}, is {value}")
    return None


def _duration(value: Any, path: Path) -> Fault | None:
    if not isinstance(value, str):
        return _wrong(path, 'a duration such as "30m"', value)
    try:
        parse_duration(value)
    except DurationError as error:
        return Fault(path, "type", error.reason)
    return None


def _quantity(value: Any, path: Path) -> Fault | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return _wrong(path, "a quantity", value)
    try:
        Quantity.parse(value)
    except QuantityError as error:
        return Fault(path, "type", error.reason)
    return None


def _wrong(path: Path, wanted: str, value: Any, *, quote: bool = False) -> Fault:
    helps: tuple[str, ...] = ()
    if quote and isinstance(value, (bool, int, float)):
        helps = ("write the value in quotes, so that YAML reads it as text",)
    return Fault(path, "type", f"must be {wanted}, not {shown(value)}", helps)


def shown(value: Any) -> str:
    """A value in a few words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return f"the number {str(value)[:40]}"
    if isinstance(value, str):
        return f'the text "{visible(value[:60])}"'
    return "a mapping" if isinstance(value, Mapping) else "a list"
