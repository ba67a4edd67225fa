"""Order among the LocalQueues of one ClusterQueue by what they used (reference section 6.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.lab.recording.objects import flavor, group, local_queue, queue
from kohort.lab.recording.story import Story

F = flavor("f")
SCOPE = {"admissionMode": "UsageBasedAdmissionFairSharing"}


def shared(
    name: str,
    *locals_: dict,
    weights: Mapping[str, int] | None = None,
    resources: Any = "gpu",
    quota: Any = 4,
    **fields: Any,
) -> Story:
    sharing: dict[str, Any] = {"usageHalfLifeTime": "10m", "usageSamplingInterval": "5m"}
    if weights:
        sharing["resourceWeights"] = dict(weights)
    made = queue("q", group(resources, {"f": quota}), admissionScope=SCOPE, **fields)
    features = "admission-fair-sharing order"
    return Story(f"afs-{name}", features, F, made, *locals_, configuration={"admissionFairSharing": sharing})


def scenarios() -> Iterator[Story]:
    x, y = local_queue("x", "q"), local_queue("y", "q")

    s = shared("less-used-queue-first", x, y, weights={"gpu": 1})
    s.submit("x1", "x", 3).submit("y1", "y", 1).submit("x2", "x", 2).submit("y2", "y", 2).submit("y3", "y", 2)
    yield s.finish("x1").finish("y1").finish("y2")

    s = shared("less-used-beats-priority", x, y, weights={"gpu": 1})
    yield (
        s.submit("x1", "x", 4)
        .submit("x2", "x", 2, 9)
        .submit("x3", "x", 2, 5)
        .submit("y1", "y", 4)
        .finish("x1")
        .finish("y1")
    )

    s = shared("local-weights", local_queue("x", "q", fairSharing={"weight": "4"}), y, weights={"gpu": 1})
    s.submit("x1", "x", 2).submit("y1", "y", 2).submit("y2", "y", 4).submit("x2", "x", 4)
    yield s.finish("x1").finish("y1").finish("x2")

    s = shared(
        "local-weight-zero-is-last", local_queue("x", "q", fairSharing={"weight": "0"}), y, weights={"gpu": 1}
    )
    yield s.submit("y1", "y", 4).submit("x1", "x", 4, 5).submit("y2", "y", 4).finish("y1").finish("y2")

    s = shared("resource-weights", x, y, weights={"cpu": 0, "gpu": 1}, resources=["cpu", "gpu"], quota=[8, 4])
    s.submit("x1", "x", {"cpu": 6, "gpu": 1}).submit("y1", "y", {"cpu": 1, "gpu": 2})
    yield (
        s.submit("y2", "y", {"cpu": 8, "gpu": 4})
        .submit("x2", "x", {"cpu": 8, "gpu": 4})
        .finish("x1")
        .finish("y1")
    )

    s = shared("without-resource-weights-memory-rules", x, y, resources=["memory", "gpu"], quota=["8Gi", 4])
    s.submit("x1", "x", {"memory": "1Gi", "gpu": 3}).submit("y1", "y", {"memory": "2Gi", "gpu": 1})
    yield s.submit("y2", "y", {"gpu": 4}).submit("x2", "x", {"gpu": 4}).finish("x1").finish("y1")

    s = shared("strict-head-by-usage", x, y, weights={"gpu": 1}, queueingStrategy="StrictFIFO")
    yield (
        s.submit("x1", "x", 3)
        .submit("x2", "x", 2)
        .submit("y1", "y", 4)
        .submit("x3", "x", 1)
        .finish("x1")
        .finish("y1")
    )

    s = shared("more-used-local-loses-first", x, y, weights={"gpu": 1}, quota=6, within="LowerPriority")
    yield (
        s.submit("x1", "x", 3)
        .submit("y1", "y", 1)
        .submit("x2", "x", 1)
        .submit("y2", "y", 1)
        .submit("y3", "y", 2, 9)
    )
