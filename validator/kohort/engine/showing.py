"""Texts for `kohort tree`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kohort.engine.marker import is_repository
from kohort.engine.outcome import Settings
from kohort.engine.reading import TreeSet, read_all
from kohort.objects.cluster import Cluster
from kohort.objects.intake import take_in
from kohort.objects.names import visible
from kohort.objects.quantity import format_units
from kohort.objects.versions import shown_version
from kohort.semantics.tree import Limits, QuotaTree, TreeNode
from kohort.source.tree import WorkDir

_CORE = frozenset({"cpu", "memory", "pods", "ephemeral-storage"})


def tree_text(
    paths: Sequence[Path], settings: Settings, *, cluster: str | None, flavor: str | None, every: bool
) -> str | None:
    """The trees of a repository (paths empty or one repository) or of plain YAML; None where there is no queue."""
    clusters = _clusters(paths, settings)
    blocks = []
    for one in clusters:
        if cluster is not None and one.name != cluster:
            continue
        lines = list(_lines(one, flavor, every))
        if lines:
            blocks.append(
                "\n".join(
                    [
                        *([f"cluster {one.name} (Kueue {shown_version(one.kueue)})"] if one.name else []),
                        *lines,
                    ]
                )
            )
    return "\n\n".join(blocks) or None


def _clusters(paths: Sequence[Path], settings: Settings) -> list[Cluster]:
    root = paths[0] if paths else Path()
    if len(paths) <= 1 and is_repository(root):
        from kohort.engine.repository import check_repository

        bundle = check_repository(WorkDir(root), settings)[1]
        return [bundle.clusters[name].cluster for name in sorted(bundle.clusters)]
    tree = TreeSet([WorkDir(Path(), list(paths))]) if paths else TreeSet([])
    return [Cluster(take_in(read_all(tree, settings.progress)).objects, kueue=settings.kueue)]


def _lines(cluster: Cluster, flavor: str | None, every: bool) -> Iterator[str]:
    tree = QuotaTree.of(cluster.queues, cluster.cohorts)
    for cycle in tree.cycles:
        yield f"cycle: {' -> '.join(cycle)} (its queues admit nothing)"
    shown = _pairs(cluster, flavor, every)
    for root in sorted(tree.roots, key=lambda n: (n.is_queue, n.name)):
        stack: list[tuple[TreeNode, str, str]] = [(root, "", "")]
        while stack:
            node, lead, follow = stack.pop()
            yield f"{lead}{_title(node)}"
            inner = [f"{follow}    {text}" for text in _quota_lines(node, shown)]
            yield from inner
            children = sorted(node.children, key=lambda n: (not n.is_queue, n.name))
            for index in range(len(children) - 1, -1, -1):
                last = index == len(children) - 1
                stack.append(
                    (
                        children[index],
                        follow + ("└── " if last else "├── "),
                        follow + ("    " if last else "│   "),
                    )
                )


def _title(node: TreeNode) -> str:
    kind = "queue" if node.is_queue else "cohort (implicit: no Cohort object)" if node.implicit else "cohort"
    return f"{visible(node.name)}  {kind}"


def _pairs(cluster: Cluster, flavor: str | None, every: bool) -> list[tuple[str, str]]:
    """The (flavor, resource) pairs to show: main resources, or all where a flavor has nothing but core ones."""
    seen: dict[str, list[str]] = {}
    quotas = [*(q.quotas for q in cluster.queues.values()), *(c.quotas for c in cluster.cohorts.values())]
    for held in quotas:
        for name, resource in held:
            if (flavor is None or name == flavor) and resource not in seen.setdefault(name, []):
                seen[name].append(resource)
    pairs = []
    for name in sorted(seen):
        main = [r for r in seen[name] if r not in _CORE]
        pairs += [(name, r) for r in (seen[name] if every or not main else main)]
    return pairs


def _quota_lines(node: TreeNode, pairs: list[tuple[str, str]]) -> Iterator[str]:
    for pair in pairs:
        if pair not in node.pairs:
            continue
        resource = pair[1]
        parts = [f"guarantee {format_units(node.nominal(pair), resource)}"]
        subtree = node.subtree(pair)
        if not node.is_queue:
            parts.append(f"subtree {format_units(subtree, resource)}")
        if node.parent is not None:
            limits = node.limits.get(pair) or Limits(0, None, None)
            parts.append(f"borrow {_limit(limits.borrowing, resource)}")
            parts.append(f"lend {_limit(limits.lending, resource)}")
        parts.append(f"at most {format_units(node.potential(pair), resource)}")
        if any(text.split()[-1] != "0" for text in parts):
            yield f"{pair[0]} {resource}: {', '.join(parts)}"


def _limit(amount: int | None, resource: str) -> str:
    return "any" if amount is None else "none" if amount == 0 else format_units(amount, resource)
