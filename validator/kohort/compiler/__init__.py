"""From declarations to Kubernetes objects that know where each field came from, and to their canonical bytes."""

from kohort.compiler.build import build
from kohort.compiler.bundle import BuiltCluster, Bundle
from kohort.compiler.emit import emit, render_files

__all__ = ["BuiltCluster", "Bundle", "build", "emit", "render_files"]
