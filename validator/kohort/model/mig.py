"""Partitioned GPUs (MIG): which profiles a product has, and whether a layout can be made on its GPUs.

A layout is possible on one GPU exactly when its profiles take at most 7 compute slices and 8 memory slices together (4
and 4 on the small products) and none of the once-only profiles is taken twice; the order of placement does not
matter. Source: platform.md 2.1 and 2.2 (all 78 multisets of the start table enumerated). Names follow from the total
memory of the product: `<compute>g.<GiB>gb`, the GiB being the profile's eighths of the total rounded half up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from itertools import product as combinations
from typing import Any, Final

from kohort.dataclass import dataclass

_MOST_STEPS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of partition and what it takes of a GPU."""

    name: str
    compute: int
    memory: int
    limit: int  # how many of it fit one GPU


@dataclass(frozen=True, slots=True)
class Product:
    """A GPU that can be partitioned; `compute` and `memory` are its slices."""

    name: str
    compute: int
    memory: int
    profiles: Mapping[str, Profile]


def profile_name(resource: str) -> str:
    """The profile that a device resource is named after (`3g.40gb`), empty for other resources."""
    match = re.fullmatch(_data()["resource"], resource)
    return match[1] if match else ""


def product_label() -> str:
    """The node label that names the GPU's product."""
    return str(_data()["productLabel"])


def count_label() -> str:
    """The node label that counts the node's physical GPUs."""
    return str(_data()["countLabel"])


@cache
def product_of(name: str) -> Product | None:
    """The product of a label value (`NVIDIA-A100-SXM4-80GB`), None where it is unknown or cannot be partitioned."""
    for entry in _data()["products"]:
        if re.search(entry["match"], name):
            scheme = _data()["schemes"][entry["scheme"]]
            profiles: dict[str, Profile] = {}
            for gib in entry["gib"]:
                for row in scheme["profiles"]:
                    profile = _profile(row, gib, scheme)
                    profiles.setdefault(profile.name, profile)
            return Product(name, scheme["compute"], scheme["memory"], profiles)
    return None


def _profile(row: Mapping[str, Any], gib: int, scheme: Mapping[str, Any]) -> Profile:
    compute, memory = row["compute"], row["memory"]
    size = (2 * memory * gib + scheme["memory"]) // (2 * scheme["memory"])  # rounded half up
    suffix = row.get("suffix", "")
    name = f"{row['class']}.{size}gb" + (suffix if suffix.startswith("-") else f".{suffix}" if suffix else "")
    fits = min(scheme["compute"] // compute, scheme["memory"] // memory)
    return Profile(name, compute, memory, row.get("limit", fits))


def impossible(product: Product, counts: Mapping[str, int], gpus: int) -> str:
    """Why so many partitions cannot be made of `gpus` GPUs, empty where they can.

    `counts` are by profile name, all of this product. Exact, except that a search of more than 20,000 steps gives up
    and takes the layout for possible.
    """
    wanted = [(product.profiles[name], count) for name, count in counts.items() if count > 0]
    for what, slices, sum_ in (
        ("compute", product.compute, sum(profile.compute * count for profile, count in wanted)),
        ("memory", product.memory, sum(profile.memory * count for profile, count in wanted)),
    ):
        if sum_ > slices * gpus:
            terms = " + ".join(f"{count} × {getattr(profile, what)}" for profile, count in wanted)
            return f"{terms} = {sum_} {what} slices, more than the {slices * gpus} of {_gpus(gpus)}"
    for profile, count in wanted:
        if count > profile.limit * gpus:
            return (
                f"{count} × {profile.name}, more than the {profile.limit * gpus} that {_gpus(gpus)} can have"
            )
    if not _fits(product, tuple(wanted), gpus):
        return f"no way to spread them over {_gpus(gpus)}"
    return ""


def _gpus(count: int) -> str:
    return f"{count} GPU" if count == 1 else f"{count} GPUs"


def _fits(product: Product, wanted: tuple[tuple[Profile, int], ...], gpus: int) -> bool:
    """Whether the partitions can be spread over the GPUs, by search over the largest layouts of one GPU."""
    if all(count % gpus == 0 for _, count in wanted):
        share = [(profile, count // gpus) for profile, count in wanted]
        if _one_gpu(product, share):
            return True
    layouts = _largest([profile for profile, _ in wanted], product)
    steps = 0

    @cache
    def search(left: tuple[int, ...], free: int, first: int) -> bool:
        nonlocal steps
        steps += 1
        if not any(left) or steps > _MOST_STEPS:
            return True
        if free == 0:
            return False
        return any(
            search(tuple(max(0, n - m) for n, m in zip(left, layouts[i], strict=True)), free - 1, i)
            for i in range(first, len(layouts))
        )

    return search(tuple(count for _, count in wanted), gpus, 0)


def _one_gpu(product: Product, counts: list[tuple[Profile, int]]) -> bool:
    return (
        sum(p.compute * n for p, n in counts) <= product.compute
        and sum(p.memory * n for p, n in counts) <= product.memory
        and all(n <= p.limit for p, n in counts)
    )


def _largest(profiles: list[Profile], product: Product) -> list[tuple[int, ...]]:
    """Layouts of one GPU with these profiles that no other one contains, largest first."""
    found = [
        counts
        for counts in combinations(*(range(profile.limit + 1) for profile in profiles))
        if _one_gpu(product, list(zip(profiles, counts, strict=True)))
    ]
    return sorted(
        (
            a
            for a in found
            if not any(a != b and all(x <= y for x, y in zip(a, b, strict=True)) for b in found)
        ),
        reverse=True,
    )


@cache
def _data() -> dict[str, Any]:
    text = resources.files("kohort.model").joinpath("data/mig.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
