from __future__ import annotations

import pytest

from kohort.objects.durations import HOUR, MINUTE, SECOND, DurationError, format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "nanoseconds", "printed"),
    [
        ("0", 0, "0s"), ("+0", 0, "0s"), ("-0", 0, "0s"), ("1h30m", HOUR + 30 * MINUTE, "1h30m0s"),
        ("90s", 90 * SECOND, "1m30s"), ("1.5h", 90 * MINUTE, "1h30m0s"), ("-5m", -5 * MINUTE, "-5m0s"),
        ("250ms", SECOND // 4, "250ms"), ("1us", 1000, "1\u00b5s"), ("1\u00b5s", 1000, "1\u00b5s"),
        ("1\u03bcs", 1000, "1\u00b5s"), (".5s", SECOND // 2, "500ms"), ("1.s", SECOND, "1s"), ("1ns", 1, "1ns"),
        ("0.1ns", 0, "0s"), ("30s1h", HOUR + 30 * SECOND, "1h0m30s"), ("1h1h", 2 * HOUR, "2h0m0s"),
        ("9223372036854775807ns", 2**63 - 1, "2562047h47m16.854775807s"),
        ("-9223372036854775808ns", -(2**63), "-2562047h47m16.854775808s"),
        ("0.3333333333333333333h", 20 * MINUTE, "20m0s"), ("1.5us", 1500, "1.5\u00b5s"),
    ],
)  # fmt: skip
def test_reads_and_prints_as_go(text, nanoseconds, printed):
    assert parse_duration(text) == nanoseconds
    assert format_duration(nanoseconds) == printed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", '"" is not a duration: it has no number'),
        ("-", '"-" is not a duration: it has no number'),
        ("10", '"10" is not a duration: the unit is missing (ns, us, ms, s, m or h)'),
        ("1d", '"1d" is not a duration: the unit "d" is not known; a day is 24h'),
        ("2w", '"2w" is not a duration: the unit "w" is not known; a week is 168h'),
        ("5min", '"5min" is not a duration: the unit "min" is not known; a minute is m'),
        ("1H", '"1H" is not a duration: the unit "H" is not known; units are ns, us, ms, s, m and h'),
        ("1 h", '"1 h" is not a duration: the unit " h" is not known; units are ns, us, ms, s, m and h'),
        ("h", "\"h\" is not a duration: 'h' is not a number"),
        (".s", "\".s\" is not a duration: '.' is not a number"),
        ("1h-5m", '"1h-5m" is not a duration: the unit "h-" is not known; units are ns, us, ms, s, m and h'),
        ("9223372036854775808ns", '"9223372036854775808ns" is not a duration: it is longer than 292 years'),
        ("3000000h", '"3000000h" is not a duration: it is longer than 292 years'),
        ("1s" * 200, "a duration may have at most 256 characters, this one has 400"),
        (30, 'a duration is a text such as "30s", not int'),
        (None, 'a duration is a text such as "30s", not NoneType'),
    ],
)
def test_the_reason_says_what_is_wrong(text, reason):
    with pytest.raises(DurationError) as caught:
        parse_duration(text)
    assert caught.value.reason == reason
