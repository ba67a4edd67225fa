"""Names of compiled objects: fixed by the declaration alone, so that no other team's change renames a queue."""

from __future__ import annotations

from typing import Final

from kohort.model.repo import Slack, Team, TeamQueue, Workload

DEFAULT_LOCAL_QUEUE: Final = "default"  # Kueue gives it to jobs without a queue label (kueue.md 2.5)
_ONLY: Final = "main"


def cluster_queue_name(team: Team, queue: TeamQueue) -> str:
    """`<team>-<queue>`; just `<team>` for the queue that is named `main` or like the team.

    What was renamed with `previously` keeps its name on the clusters. Two queues can meet in one name (`a-b` + `c`,
    `a` + `b-c`); that is a finding, not another name.
    """
    owner, name = team.previously or team.name, queue.previously or queue.name
    return owner if name in {_ONLY, team.name, team.previously, ""} else f"{owner}-{name}"


def local_queue_name(queue: TeamQueue) -> str:
    """The queue's own name, which is what people put on jobs; `default` for the default queue."""
    return DEFAULT_LOCAL_QUEUE if queue.default else queue.previously or queue.name or _ONLY


def slack_name(slack: Slack) -> str:
    """`slack-<cohort>-<flavor>`: always with the flavor, so that a second slack entry renames nothing."""
    return f"slack-{slack.cohort}-{slack.flavor}"


def workload_name(workload: Workload) -> str:
    """`<workload>-<run>`: a declared workload is immutable on the cluster, another run is another object."""
    return f"{workload.name}-{workload.run}"
