"""Promises against hardware: healthy capacity, joint proofs, shapes, headroom and largest jobs."""

from kohort.capacity.assess import Assessment, assess
from kohort.capacity.health import NodeFacts, verdict
from kohort.capacity.promises import Promise
from kohort.capacity.proof import Lack, Shortage
from kohort.capacity.slack import Lending
from kohort.capacity.supply import Exclusion, FlavorSupply

__all__ = [
    "Assessment",
    "Exclusion",
    "FlavorSupply",
    "Lack",
    "Lending",
    "NodeFacts",
    "Promise",
    "Shortage",
    "assess",
    "verdict",
]
