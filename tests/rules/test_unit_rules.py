"""Quantities that are valid and wrong: exact values, what was meant, and the safe fix."""

from __future__ import annotations

import pytest
from judged import Judged, flavor, job, local, queue

from kohort.diagnostics import Consequence, Severity


def memory(value):
    return Judged(flavor("h100"), queue("a", f"h100 {value}", resource="memory"))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("51200m", "51200m = 51.2 bytes (rounds up to 52); did you mean 51200M or 51200Mi?"),
        ("1500m", "1500m = 1.5 bytes (rounds up to 2); did you mean 1500M or 1500Mi?"),
        ('"0.1"', "0.1 = 0.1 bytes (rounds up to 1)"),
    ],
)
def test_fractions_of_bytes(value, said):
    assert memory(value).message("UNT601") == f"ClusterQueue a: memory nominalQuota {said}"


@pytest.mark.parametrize("value", ["2000m", "64Gi", "0", "1500Mi", "1.5Gi"])
def test_whole_bytes_are_none(value):
    assert memory(value).of("UNT601") == []


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("64", "64 = 64 bytes; did you mean 64Mi or 64Gi?"),
        ("1", "1 = 1 byte; did you mean 1Mi or 1Gi?"),
        ("512Ki", "512Ki = 524288 bytes; did you mean 512Mi or 512Gi?"),
        ("1023Ki", "1023Ki = 1047552 bytes; did you mean 1023Mi or 1023Gi?"),
    ],
)
def test_few_bytes(value, said):
    assert memory(value).message("UNT602") == f"ClusterQueue a: memory nominalQuota {said}"


@pytest.mark.parametrize("value", ["0", "1Mi", "1024Ki", "2M", "51200m"])
def test_enough_bytes(value):
    assert memory(value).of("UNT602") == []


def test_fractions_of_devices_in_quotas_and_pods():
    quota = Judged(flavor("h100"), queue("a", "h100 2500m", resource="example.com/gpu"))
    found = quota.only("UNT603")
    assert (
        found.message
        == "ClusterQueue a: example.com/gpu nominalQuota 2500m = 2.5 (Kueue rounds up to 3); did you mean 2500?"
    )
    assert found.severity is Severity.WARNING
    pod = Judged(job("run", "{example.com/gpu: 500m, cpu: 500m}"))
    found = pod.only("UNT603")
    assert found.message == (
        "Job team-a/run: example.com/gpu request 500m = 0.5 (the server refuses the pod: must be an integer); did you mean 500?"
    )
    assert found.consequence is Consequence.STUCK
    assert pod.place(found) == ("0.yaml", 4)


def test_limit_ranges_are_read_too():
    text = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: d, namespace: a}\nspec: {limits: [{type: Container, default: {memory: 100m}}]}\n"
    assert Judged(text).message("UNT601") == (
        "LimitRange a/d: memory default 100m = 0.1 bytes (rounds up to 1); did you mean 100M or 100Mi?"
    )


def test_fix_writes_the_stored_form():
    judged = Judged(
        flavor("h100"), queue("a", 'h100 12000m, borrowingLimit: 1000, lendingLimit: "0.5"', cohort="org")
    )
    found = judged.of("UNT604")
    assert [(f.message.split()[3], f.fix.edits[0].text) for f in found] == [
        ("borrowingLimit", "1k"),
        ("lendingLimit", "500m"),
        ("nominalQuota", '"12"'),
    ]
    assert all(f.fix.safe for f in found)
    assert found[0].consequence is Consequence.DRIFT


def test_bare_integers_and_kept_spellings_are_none():
    assert Judged(flavor("h100"), queue("a", "h100 8")).of("UNT604") == []
    assert Judged(flavor("h100"), queue("a", "h100 '1e3'")).of("UNT604") == []


def test_amounts_that_do_not_survive():
    judged = Judged(flavor("h100"), queue("a", "h100 '1000000000000000000000'"))
    assert judged.message("UNT605") == (
        "ClusterQueue a: cpu nominalQuota 1000000000000000000000 is stored as 1, another amount"
    )
    assert judged.of("UNT604") == []


@pytest.mark.parametrize(
    ("value", "found"),
    [("9223372036854776", 1), ("9223372036854775", 1), ("9223372036854774", 0), ("10E", 1), ("1M", 0)],
)
def test_unlimited_cpu(value, found):
    assert len(Judged(flavor("h100"), queue("a", f"h100 {value!r}")).of("UNT606")) == found


@pytest.mark.parametrize(("value", "found"), [("9223372036854775807", 1), ("9223372036854775806", 0)])
def test_unlimited_devices(value, found):
    assert len(Judged(flavor("h100"), queue("a", f"h100 {value!r}", resource="pods")).of("UNT606")) == found


def test_mixed_units_in_one_queue():
    judged = Judged(
        flavor("h100"), flavor("a100"), queue("a", "h100 2000Gi", "a100 2001G", resource="memory")
    )
    found = judged.only("UNT607")
    assert found.message == (
        "ClusterQueue a: memory nominalQuota 2001G is 1863.6 GiB (2,001,000,000,000 bytes), beside 2000Gi in the same ClusterQueue"
    )
    assert (judged.place(found), judged.place(found.related[0])) == (("2.yaml", 10), ("2.yaml", 9))
    assert found.severity is Severity.INFO


def test_broken_quantities_are_left_to_the_reading():
    judged = Judged(flavor("h100"), queue("a", "h100 8GB", resource="memory"), local("q", "a"))
    assert judged.codes("UNT") == []


def test_a_plain_fraction_is_not_said_twice():
    judged = Judged(flavor("h100"), queue("a", 'h100 "0.5"', resource="example.com/gpu"))
    assert judged.message("UNT603") == (
        "ClusterQueue a: example.com/gpu nominalQuota 0.5 (Kueue rounds up to 1)"
    )


@pytest.mark.parametrize(
    ("typed", "help_"),
    [
        ("1024Mi", "write 1Gi; the amount is the same"),
        ("8Ei", 'write "9223372036854775807"; the server cannot hold the amount that is typed'),
        ("100000Ei", 'write "9223372036854775807"; the server cannot hold the amount that is typed'),
    ],
)
def test_the_amount_is_the_same_unless_it_saturates(typed, help_):
    judged = Judged(flavor("h100"), queue("a", f"h100 {typed}", resource="memory"))
    assert judged.only("UNT604").help == (help_,)
