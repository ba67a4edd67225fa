"""The plan in one line names the clusters of the objects that it counts."""

from __future__ import annotations

from plan_world import FILES
from planned import planned
from test_authority import MORE_BLUE, edited

from kohort.planner.render.sentences import verdict


def test_clusters_where_only_the_file_of_objects_differs_are_not_named():
    moved = {**edited(MORE_BLUE), "queues/elsewhere.yaml": FILES["queues/priorities.yaml"]}
    del moved["queues/priorities.yaml"]
    plan = planned(moved).plan
    assert {one.cluster for one in plan.objects} == {"pokprod", "vela"}
    assert "1 object on pokprod" in verdict(plan)
    assert "vela" not in verdict(plan)
