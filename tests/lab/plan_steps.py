"""A runbook that a plan printed, followed step by step: its commands are carried out, what it waits for is looked at."""

from __future__ import annotations

import json
import re
import shlex
import time
from collections.abc import Callable, Iterator
from typing import Any

from plan_scenario import Scenario, key
from plan_stage import PLURALS, Stage

from kohort.lab.patience import stretched
from kohort.lab.recording.objects import NAMESPACE
from kohort.planner.plan import Plan, Runbook, Step
from kohort.simulator.replay.trace import Step as Done

_KINDS = {kind.lower(): kind for kind in PLURALS}
_SECONDS = 15.0


def runbook(plan: Plan, title: str) -> Runbook:
    """The one with a title."""
    titles = {one.title: one for one in plan.runbooks}
    assert title in titles, f"the plan prints {list(titles)}"
    return titles[title]


def follow(stage: Stage, scenario: Scenario, steps: Runbook) -> Iterator[str]:
    """Do every step; yields what was done, so that a failure says where it stood."""
    added = {key(each) for each in scenario.head} - {key(each) for each in scenario.base}
    for step in steps.steps:
        yield step.text
        if step.text.startswith("add ResourceFlavor"):
            stage.put([each for each in scenario.change if key(each) in added])
        elif step.text.startswith("apply this change"):
            stage.put(scenario.change)
        for command in step.commands:
            kubectl(stage, command)
        if step.wait:
            _wait(stage, scenario, step)
        time.sleep(0.2)


def kubectl(stage: Stage, command: str) -> str:
    """Carry out one of the few commands that runbooks hold; `get` gives what a jsonpath prints."""
    words = shlex.split(command)
    assert words[0] == "kubectl", command
    verb, kind, name = words[1], _KINDS[words[2]], words[3]
    options = dict(zip(words[4::2], words[5::2], strict=True))
    space = options.pop("-n", NAMESPACE)
    if verb == "patch":
        assert options.pop("--type") == "merge"
        stage.patch(kind, name, json.loads(options.pop("-p")), space)
    elif verb == "delete":
        stage.delete(kind, name, space)
    else:
        assert verb == "get", command
        return _printed(stage.found(kind, name), options.pop("-o", "jsonpath={}"))
    assert not options, command
    return ""


def _printed(obj: Any, output: str) -> str:
    path = re.fullmatch(r"jsonpath='?\{([\w.]*)\}'?", output)
    assert path is not None, output
    for part in filter(None, path[1].split(".")):
        obj = (obj or {}).get(part)
    return json.dumps(obj)


def _wait(stage: Stage, scenario: Scenario, step: Step) -> None:
    """Let what should end end, having seen that it did not by itself; then the condition must come true."""
    holds = _condition(stage, step)
    if holds is None:
        return
    if scenario.ends:
        assert not holds(), f"nothing had to end for: {step.wait}"
        stage.do(Done("finish", workload=name) for name in scenario.ends)
    end = time.monotonic() + stretched(_SECONDS)
    while not holds():
        assert time.monotonic() < end, f"not true: {step.wait}"
        time.sleep(0.1)


def _condition(stage: Stage, step: Step) -> Callable[[], bool] | None:
    """What `step.wait` says in words, as a question to the server; None where a person looks."""
    zero = re.fullmatch(r"`(kubectl get .*)` prints 0", step.wait)
    if zero:
        return lambda: kubectl(stage, zero[1]) == "0"
    reserved = [command for command in step.commands if command.startswith("kubectl get clusterqueue")]
    lists: Callable[[], list[Any]] = lambda: [  # noqa: E731 - a question, asked again and again
        flavor for each in reserved for flavor in json.loads(kubectl(stage, each)) or ()
    ]
    if step.wait == "no `borrowed` of its flavors is above 0":
        return lambda: not any(_amount(r.get("borrowed")) for f in lists() for r in f["resources"])
    total = re.fullmatch(r"its total of (flavor|resource) (\S+) is 0", step.wait)
    if total and total[1] == "resource":
        return lambda: (
            not any(r["name"] == total[2] and _amount(r["total"]) for f in lists() for r in f["resources"])
        )
    used = total or re.fullmatch(r"no (queue) uses (\S+) any more", step.wait)
    if used:
        name = stage.prefix + used[2]
        return lambda: (
            not any(f["name"] == name and _amount(r["total"]) for f in lists() for r in f["resources"])
        )
    assert step.wait.startswith("ADMITTED WORKLOADS and PENDING WORKLOADS"), step.wait
    return None


def _amount(text: object) -> bool:
    return str(text or "0") != "0"
