"""The order of resources: the 64-bit FNV-1a hash of the name."""

from __future__ import annotations

from kohort.semantics.flavors.order import resource_order


def test_hashes_are_those_of_fnv_1a():
    assert resource_order("")[0] == 0xCBF29CE484222325
    assert resource_order("a")[0] == 0xAF63DC4C8601EC8C
    assert resource_order("foobar")[0] == 0x85944171F73967E8


def test_common_resources_in_order():
    assert sorted(["cpu", "memory", "nvidia.com/gpu", "pods"], key=resource_order) == [
        "memory", "nvidia.com/gpu", "pods", "cpu",
    ]  # fmt: skip
