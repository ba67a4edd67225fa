"""Which findings of one place are one."""

from __future__ import annotations

from kohort.diagnostics import Audience, Consequence, Finding, Label, Severity
from kohort.diagnostics.render.words import what_happens
from kohort.diagnostics.report import arrange
from kohort.spans import Origin


def finding(subject, cluster, code="AWR815"):
    return Finding(
        code=code,
        name="retry-cost",
        severity=Severity.INFO,
        consequence=Consequence.REFUSED,
        audience=Audience.TEAM,
        message=f"{subject} costs",
        primary=Label(Origin("template.yaml", 0, ("spec", "body"), "value"), ""),
        subject=subject,
        clusters=(cluster,),
    )


def test_one_subject_on_several_clusters_is_one_finding():
    (one,) = arrange([finding("AppWrapper a/x", "west"), finding("AppWrapper a/x", "east")])
    assert one.clusters == ("east", "west")


def test_several_subjects_of_one_template_line_are_all_named():
    (one,) = arrange([finding("AppWrapper b/y", "east"), finding("AppWrapper a/x", "west")])
    assert (one.subject, one.clusters) == ("AppWrapper b/y, AppWrapper a/x", ("east", "west"))
    assert [label.text for label in one.related] == ["on west: AppWrapper a/x costs"]


def test_very_many_subjects_are_counted():
    (one,) = arrange([finding(f"AppWrapper a/{i}", "east") for i in range(9)])
    assert one.subject == (
        "AppWrapper a/0, AppWrapper a/1, AppWrapper a/2, AppWrapper a/3, AppWrapper a/4, AppWrapper a/5 and 3 more"
    )


def test_a_refused_configuration_never_reaches_an_api_server():
    assert what_happens(finding("Configuration", "east", "CFG304")) == "the manager does not start with it"
    assert what_happens(finding("ClusterQueue a", "east", "KUE204")) == "the API server rejects it"
