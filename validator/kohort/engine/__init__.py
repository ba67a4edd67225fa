"""The only orchestrator: reads trees, runs the layers in order and hands back reports and bundles."""

from kohort.engine.outcome import Outcome, Settings
from kohort.engine.plain import check_plain
from kohort.engine.repository import check_repository, is_repository, load_repository

__all__ = ["Outcome", "Settings", "check_plain", "check_repository", "is_repository", "load_repository"]
