"""What is asked of pods before quota, and what holds a Workload back beside it (Kueue `pkg/workload`: resources, admission checks)."""

from __future__ import annotations

from collections.abc import Iterator

from kohort.lab.recording.objects import (
    check,
    cohort,
    flavor,
    group,
    limit_range,
    podset,
    queue,
    runtime_class,
)
from kohort.lab.recording.story import Story

F = flavor("f")


def cpu(nominal: int) -> dict:
    return group("cpu", {"f": nominal})


def scenarios() -> Iterator[Story]:
    yield from limits()
    yield from gates()
    yield from checks()
    yield from heights()


def limits() -> Iterator[Story]:
    yield (
        Story("limits-above-the-maximum", "limits", F, limit_range("l", max={"cpu": 2}), queue("q", cpu(10)))
        .submit("w1", "q", {"cpu": 2})
        .submit("w2", "q", {"cpu": 3})
        .submit("w3", "q", {"cpu": 1})
        .apply(limit_range("l", max={"cpu": 4}))
        .finish("w1")
        .submit("w4", "q", {"cpu": 5})
    )
    outside = {"max": {"cpu": 2, "memory": 2}, "min": {"cpu": 1}}
    yield (
        Story("limits-outside-of-both", "limits", F, limit_range("l", **outside), queue("q", cpu(10)))
        .submit("w1", "q", {"cpu": 3, "memory": 3}, limits={"cpu": 3, "memory": 3})
        .submit(
            "w2",
            "q",
            [
                podset("one", 1, {"cpu": "500m"}),
                podset("two", 1, {"cpu": 3}, limits={"cpu": 4}),
                podset("three", 1, {"cpu": 1}),
            ],
        )
        .submit("w3", "q", {"cpu": 1})
        .apply(limit_range("l", max={"cpu": 4, "memory": 4}))
        .finish("w3")
    )
    yield (
        Story("limits-below-the-minimum", "limits", F, limit_range("l", min={"cpu": 2}), queue("q", cpu(10)))
        .submit("w1", "q", {"cpu": 1})
        .submit("w2", "q", {"cpu": 2})
        .remove("LimitRange", "l", "work")
        .finish("w2")
    )
    yield (
        Story(
            "limits-are-defaults",
            "limits",
            F,
            limit_range("l", default={"cpu": 3}, defaultRequest={"cpu": 2}),
            queue("q", cpu(6)),
        )
        .submit("w1", "q", {"memory": 0}, count=2)
        .submit("w2", "q", {"memory": 0})
        .submit("w3", "q", {"cpu": 3})
        .apply(limit_range("l", default={"cpu": 1}, defaultRequest={"cpu": 1}))
        .submit("w4", "q", {"memory": 0})
        .finish("w1")
    )
    yield (
        Story("limits-above-requests", "limits", F, queue("q", cpu(10)))
        .submit("w1", "q", {"cpu": 3}, limits={"cpu": 2})
        .submit("w2", "q", {"cpu": 1}, limits={"cpu": 2})
        .submit("w3", "q", {"memory": 0}, limits={"cpu": 2})
        .finish("w3")
    )
    yield (
        Story("limits-of-a-strict-queue", "limits strict", F, limit_range("l", max={"cpu": 2}),
              queue("q", cpu(10), queueingStrategy="StrictFIFO"))
        .submit("w1", "q", {"cpu": 3})
        .submit("w2", "q", {"cpu": 1})
        .delete("w1")
    )  # fmt: skip
    yield (
        Story(
            "overhead-of-a-runtime-class", "limits", F, runtime_class("kata", {"cpu": 1}), queue("q", cpu(6))
        )
        .submit("w1", "q", {"cpu": 2}, count=2, runtime_class="kata")
        .submit("w2", "q", {"cpu": 1}, runtime_class="kata")
        .submit("w3", "q", {"cpu": 1}, runtime_class="unknown")
        .finish("w1")
    )


def gates() -> Iterator[Story]:
    yield (
        Story("gates-hold-back", "gates", F, queue("q", cpu(4)))
        .submit("w1", "q", {"cpu": 2}, gates="example.com/a,example.com/b")
        .submit("w2", "q", {"cpu": 3})
        .gate("w1", "example.com/b")
        .gate("w1", "")
        .finish("w2")
    )
    yield (
        Story("gates-in-a-strict-queue", "gates strict", F, queue("q", cpu(4), queueingStrategy="StrictFIFO"))
        .submit("w1", "q", {"cpu": 4}, gates="example.com/a")
        .submit("w2", "q", {"cpu": 3})
        .gate("w1", "")
        .finish("w2")
    )


def checks() -> Iterator[Story]:
    asked = {"checks": [{"name": "ok"}]}
    s = Story("checks-retry-later-keeps-the-quota", "checks", F, check("ok"), queue("q", cpu(4), **asked))
    s.submit("w1", "q", {"cpu": 3}).submit("w2", "q", {"cpu": 2}).check("w1", "ok", "Retry", after=300)
    yield s.wait().submit("w3", "q", {"cpu": 1}).delete("w1")
    s = Story("checks-retry-at-once-beside-later", "checks", F, check("a"), check("b"),
              queue("q", cpu(4), checks=[{"name": "a"}, {"name": "b"}]))  # fmt: skip
    s.submit("w1", "q", {"cpu": 3}).check("w1", "a", "Retry", after=6).submit("w2", "q", {"cpu": 1})
    yield s.wait().wait().check("w1", "a", "Ready").check("w1", "b", "Retry")


def heights() -> Iterator[Story]:
    quota = group("cpu", {"f": 4})
    yield (
        Story(
            "height-of-a-cohort-with-a-stopped-queue",
            "hierarchy stop",
            F,
            cohort("root"),
            cohort("deep", "root"),
            cohort("deeper", "deep"),
            cohort("flat", "root"),
            queue("stopped", quota, cohort="deeper", stopPolicy="Hold"),
            queue("own", group("cpu", {"f": 0}), cohort="deep"),
            queue("lends", quota, cohort="flat"),
            queue("other", group("cpu", {"f": 0}), cohort="flat"),
        )
        .submit("block", "lends", {"cpu": 8})
        .submit("w1", "other", {"cpu": 4})
        .submit("w2", "own", {"cpu": 4}, 5)
        .finish("block")
        .finish("w2")
    )
    for policy, word in (("Hold", "stopped"), ("None", "running")):
        s = Story(
            f"height-decides-with-a-{word}-queue-below",
            "hierarchy stop",
            F,
            cohort("root"),
            cohort("x", "root"),
            cohort("below", "x"),
            cohort("y", "root"),
            queue("deep", group("cpu", {"f": 0}), cohort="below", stopPolicy=policy),
            queue("own", group("cpu", {"f": 0}), cohort="x"),
            queue("idle-x", quota, cohort="x"),
            queue("other", group("cpu", {"f": 0}), cohort="y"),
            queue("idle-y", quota, cohort="y"),
            queue("z", group("cpu", {"f": 0}), cohort="root"),
        )
        yield (
            s.submit("z1", "z", {"cpu": 4})
            .submit("z2", "z", {"cpu": 4})
            .submit("w1", "other", {"cpu": 4})
            .submit("w2", "own", {"cpu": 4}, 5)
            .finish("z2")
            .finish("z1")
        )
