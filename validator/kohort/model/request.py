"""What a line of quota asks for, in numbers: the unit that was typed, sizes looked up, faults found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from kohort.dataclass import dataclass
from kohort.diagnostics import Finding
from kohort.diagnostics.suggest import did_you_mean
from kohort.model.codes import finding
from kohort.model.offer import Offer
from kohort.model.repo import ClusterDecl, QuotaLine, Repo
from kohort.spans import Origin

# Names of which a near one may be meant. A flavor without nodes here exists elsewhere, so it is none of them.
_MISSPELT = frozenset({"SRC121", "SRC123", "SRC124", "SRC125"})


def counted(count: int | Fraction, one: str) -> str:
    """`1 node`, `8 GPUs`."""
    return f"{count} {one}" if count == 1 else f"{count} {one}s"


@dataclass(frozen=True, slots=True)
class Request:
    """An amount of a flavor: `weight` is how many units of the offer (nodes where `per_node`); `exact` holds what was asked for by name."""

    unit: str  # the field of the line that states it
    main: str
    text: str  # "8 GPUs"
    weight: Fraction
    per_node: bool
    count: int = 0  # the number that was typed; of several kinds of devices their sum
    exact: Mapping[str, Fraction] = field(default_factory=dict)
    size: str = ""

    def exact_text(self, resource: str) -> str:
        """The arithmetic of what was asked for itself."""
        own = f"{self.exact[resource]} {resource}"
        return f"size {self.size} = {own}" if self.size else f"{own} as written"

    def limited(self, limit: int, offer: Offer) -> Request:
        """The request of a limit: so many of the same unit, kinds of devices in the proportion of the line."""
        if self.per_node:
            return Request(self.unit, self.main, counted(limit, "node"), Fraction(limit), per_node=True)
        if self.main == offer.accelerator and set(self.exact) <= {self.main}:
            exact = {self.main: Fraction(limit)}
            return Request(
                self.unit,
                self.main,
                counted(limit, "GPU"),
                Fraction(limit),
                per_node=False,
                exact=exact,
            )
        if self.count == 0:
            return Request(self.unit, self.main, counted(limit, "GPU"), Fraction(limit), per_node=False)
        part = Fraction(limit, self.count)
        exact = {resource: Fraction(int(count * part)) for resource, count in self.exact.items()}
        weight = self.weight * part
        return Request(self.unit, self.main, counted(weight, "GPU"), weight, per_node=False, exact=exact)


def read_request(
    repo: Repo, cluster: ClusterDecl, line: QuotaLine, offer: Offer
) -> Request | tuple[Finding, ...]:
    """The request of a line, or findings; none where what it refers to was reported as broken."""
    if line.flavor not in repo.flavors:
        if (
            "Flavor",
            line.flavor,
        ) in repo.broken or offer.pools:  # a pool of an undeclared flavor has its own finding
            return ()
        return (
            _named(
                "SRC121", f"there is no flavor `{line.flavor}`", line, "flavor", line.flavor, repo.flavors
            ),
        )
    if not offer.pools:
        text = f"cluster {cluster.name} has no node pool of flavor {line.flavor}"
        others = {pool.flavor for pool in cluster.pools}
        return (_named("SRC122", text, line, "flavor", line.flavor, others, cluster.name),)
    for resource in line.resources:
        if resource not in offer.covered:
            text = f"flavor {line.flavor} does not cover {resource} on cluster {cluster.name}"
            return (_named("SRC125", text, line, "resources", resource, offer.covered, cluster.name),)
    unit, count, devices, size = line.unit, line.count, line.devices, ""
    if unit == "size":
        declared = repo.sizes.get(line.size)
        if declared is None:
            if ("Size", line.size) in repo.broken:
                return ()
            return (_named("SRC124", f"there is no size `{line.size}`", line, "size", line.size, repo.sizes),)
        unit, count, devices, size = declared.unit, declared.count, declared.devices, declared.name
    at = line.origin.child(line.unit)
    if unit == "gpus":
        return _gpus(cluster, line, offer, count, size, at)
    if unit == "nodes":
        text = counted(count, "node")
        text = f"size {size} = {text}" if size else text
        return Request(
            line.unit,
            offer.main,
            text,
            Fraction(count),
            per_node=True,
            count=count,
            size=size,
        )
    return _devices(cluster, line, offer, devices, size)


def _gpus(
    cluster: ClusterDecl, line: QuotaLine, offer: Offer, count: int, size: str, at: Origin
) -> Request | tuple[Finding, ...]:
    kinds = {pool.accelerator for pool in offer.pools if pool.accelerator}
    if len(kinds) != 1 or not offer.units:
        reason = (
            f"its pools count GPUs as {' and '.join(sorted(kinds))}"
            if len(kinds) > 1
            else "its nodes have none"
        )
        text = f"GPUs of flavor {line.flavor} cannot be counted on cluster {cluster.name}: {reason}"
        units = [*(["`devices`"] if offer.shares else []), "`nodes`"]
        return (
            finding("SRC123", text, at, help=(f"count in {' or '.join(units)}",), clusters=(cluster.name,)),
        )
    text = counted(count, "GPU")
    text = f"size {size} = {text}" if size else text
    exact = {offer.accelerator: Fraction(count)}
    return Request(
        line.unit,
        offer.accelerator,
        text,
        Fraction(count),
        per_node=False,
        count=count,
        exact=exact,
        size=size,
    )


def _devices(
    cluster: ClusterDecl, line: QuotaLine, offer: Offer, devices: Mapping[str, int], size: str
) -> Request | tuple[Finding, ...]:
    for device in devices:
        if device not in offer.shares:
            text = f"nodes of flavor {line.flavor} on cluster {cluster.name} have no {device}"
            code = "SRC123"
            if device in offer.total:
                code = "SRC126"
                text = f"no node pool of flavor {line.flavor} on cluster {cluster.name} states the share of {device}"
            return (_named(code, text, line, "devices", device, offer.shares, cluster.name),)
    parts = [f"{n} × {offer.shares[device]}" for device, n in devices.items() if n] or ["0 GPUs"]
    weight = sum((n * offer.shares[device] for device, n in devices.items()), Fraction(0))
    text = f"{' + '.join(parts)} GPUs"
    return Request(
        line.unit,
        next(iter(devices)),
        f"({text})" if len(parts) > 1 else text,
        weight,
        per_node=False,
        count=sum(devices.values()),
        exact={device: Fraction(n) for device, n in devices.items()},
        size=size,
    )


def _named(
    code: str,
    message: str,
    line: QuotaLine,
    step: str,
    name: str,
    known: Mapping[str, object] | set[str] | tuple[str, ...],
    cluster: str = "",
) -> Finding:
    """A finding about a name in a line, with the existing name that may be meant."""
    near = did_you_mean(name, known) if code in _MISSPELT else ()
    hint = f"; did you mean `{near[0]}`?" if near else ""
    keyed = step in ("resources", "devices")
    # A size may name devices; the line then has no such key and the place is the size.
    field_ = line.unit if step == "devices" and line.unit == "size" else step
    path = (field_, name) if keyed and field_ == step else (field_,)
    origin = line.origin.child(*path, part="key" if keyed and field_ == step else "value")
    names = ", ".join(sorted(known))
    return finding(
        code,
        message + hint,
        origin,
        help=(f"there are: {names}",) if names else (),
        clusters=(cluster,) if cluster else (),
    )
