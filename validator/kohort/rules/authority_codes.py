"""Codes of guard rails (`AUT1xx`) and of grants with an end (`AUT2xx`)."""

from __future__ import annotations

from typing import Final

from kohort.diagnostics import Consequence, Severity
from kohort.diagnostics.codes import CodeDoc

_TEAM: Final = """\
# at: 2026-03-01
# file: kohort.yaml
apiVersion: kohort.dev/v1alpha1
kind: Organisation
metadata: {name: example}
spec: {}
# file: clusters/lab/cluster.yaml
apiVersion: kohort.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  versions: {kubernetes: 1.36.2, kueue: 0.19.1}
  nodePools:
  - {name: h100, flavor: h100, nodes: 1, accelerator: nvidia.com/gpu, perNode: {cpu: 64, memory: 1Ti, nvidia.com/gpu: 8}}
# file: queues/all.yaml
apiVersion: kohort.dev/v1alpha1
kind: Flavor
metadata: {name: h100}
spec: {}
---
apiVersion: kohort.dev/v1alpha1
kind: QueueClass
metadata: {name: batch}
spec: {}
# file: teams/blue/team.yaml
apiVersion: kohort.dev/v1alpha1
kind: Team
metadata: {name: blue}
spec:
  namespaces: [blue]
  access: {members: {groups: [blue-devs]}}
  class: batch
  quota: {lab: [{flavor: h100, gpus: 4, until: %s}]}
"""


def _plan(code: str, name: str, summary: str, why: str, bad: str, good: str) -> CodeDoc:
    return CodeDoc(code, name, Severity.ERROR, Consequence.POLICY, summary, why, bad, good)


PINNED: Final = _plan(
    "AUT101",
    "pinned-admin-removed",
    "A change removes an admin that the organisation pins.",
    "One wrong merge would leave nobody who can undo it.",
    "(`pinned: {groups: [platform-admins]}`, and the group taken out of `access.admins`)",
    "(the group unpinned in a change of its own first)",
)
FEWER_ADMINS: Final = _plan(
    "AUT102",
    "fewer-admins-than-wanted",
    "A change leaves the organisation fewer admins than it wants.",
    "When the last of them is away, nothing can be agreed to.",
    "(`minimumAdmins: 2`, and one of two groups taken out of `access.admins`)",
    "(another admin named in the same change)",
)
TOO_MUCH: Final = _plan(
    "AUT103",
    "removes-too-much-at-once",
    "A change takes away more members, queues or guarantee than one change may.",
    "Large removals are mostly mistakes: a bad rename, a file lost in a merge. An Exception in the same change, with "
    "reason and expiry, says that it is meant; an admin of the base agrees to it.",
    "(`largestRemoval: {members: 5}`, and six people taken out of a team)",
    "(the same with an Exception for AUT103, or in two changes)",
)
EXPIRED: Final = CodeDoc(
    "AUT201",
    "grant-expired",
    Severity.ERROR,
    Consequence.POLICY,
    "A grant of quota is past its last day.",
    "It was given for a time, and others plan with what becomes free. The fix removes the line.",
    _TEAM % "2026-02-28",
    _TEAM % "2026-06-30",
)
ENDING: Final = CodeDoc(
    "AUT202",
    "grant-ends-soon",
    Severity.WARNING,
    Consequence.DISRUPTIVE,
    "A grant of quota ends within two weeks.",
    "Work that needs it should finish, or ask for more time, before the line goes.",
    _TEAM % "2026-03-10",
    _TEAM % "2026-06-30",
)

RULES: Final = (PINNED, FEWER_ADMINS, TOO_MUCH, EXPIRED, ENDING)
