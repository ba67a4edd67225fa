"""Expressions are evaluated in a process that ends when it does not answer; every failure says what to do."""

from __future__ import annotations

import os
import signal
import time

import pytest

from kohort.policy.cel import Answer, Evaluator, Failure
from kohort.policy.cel.evaluator import PATIENCE


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator() as running:
        running.know(
            "org", {"repository": {"teams": [{"name": "blue", "gpus": 8}, {"name": "red", "gpus": 16}]}}
        )
        yield running


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("repository.teams.exists(t, t.gpus > 8)", True),
        ("repository.teams.filter(t, t.gpus > 8).map(t, t.name)", ["red"]),
        ("repository.teams.map(t, t.gpus).sum()", 24),
        ("[3, 1, 2].min() + [3, 1, 2].max()", 4),
        ("quantity('8Gi').isGreaterThan(quantity('8G'))", True),
        ("quantity('1Gi') == quantity('1073741824')", True),
        ("quantity('500m').compareTo(quantity('1'))", -1),
        ("quantity('1').add(quantity('500m')).sub(1).compareTo(quantity('500m'))", 0),
        ("isQuantity('8Gx') || isQuantity('')", False),
        ("quantity('2k').asInteger() + 1", 2001),
        ("quantity('1500m').asApproximateFloat()", 1.5),
        ("quantity('-1').sign()", -1),
        ("sets.contains(['a', 'b'], ['b']) && sets.equivalent([1, 2], [2, 1])", True),
        ("'registry/a@sha256:0f'.matches('@sha256:[0-9a-f]+$')", True),
        ("'abc123def4'.findAll('[0-9]+')", ["123", "4"]),
        ("'abc'.find('[0-9]')", ""),
        (r"'a(?=b'.find(r'\(\?=') + 'x'.find('(?:x)|y')", "(?=x"),
        ("'%s has %d of %.1f, %x%%'.format(['blue', 8, 2.25, 255])", "blue has 8 of 2.2, ff%"),
        ("'a,b'.split(',').join('-')", "a-b"),
        ("' Blue '.trim().lowerAscii()", "blue"),
        ("['a', 'b', 'b'].isSorted()", True),
        ("type(1) == int && has(repository.teams)", True),
    ],
)
def test_functions_that_authors_know_from_kubernetes(evaluator, expression, value):
    assert evaluator.ask(expression, ("org",)) == Answer(value)


@pytest.mark.parametrize(
    ("expression", "failure", "text"),
    [
        ("1 +", Failure.SYNTAX, "the end stands where a value is expected"),
        ("a.all(x, a.all(y, a.all(z, a.all(u, u))))", Failure.COST, "its estimated cost is above 10,000,000"),
        ("repository.owner", Failure.RUN, "there is no key 'owner'; ask with has(…) first"),
        ("repo.teams", Failure.RUN, "there is no variable or function `repo` (variables: actor, repository)"),
        ("quantity('x')", Failure.RUN, "'x' is no quantity"),
        ("1 / 0", Failure.RUN, "division by zero"),
        ("'%d'.format(['x'])", Failure.RUN, "%d takes a whole number, not string 'x'"),
        ("'%s'.format([])", Failure.RUN, "format has %s and no value for it"),
        ("true && 'a'", Failure.RUN, "`&&` takes true and false, not string"),
        ("'ab'.find('(?=b)b')", Failure.SYNTAX, "has `(?=`, which RE2 does not know"),
        (r"'aa'.findAll(r'(a)\1')", Failure.SYNTAX, r"has `\1`, which RE2 does not know"),
        ("'a'.find('(' + 'b')", Failure.RUN, "is no regular expression: missing )"),
        ("'a'.find('(')", Failure.SYNTAX, "is no regular expression: missing )"),
    ],
)
def test_failures_say_what_is_wrong(evaluator, expression, failure, text):
    answer = evaluator.ask(expression, ("org",), {"actor": {"name": "alice"}})
    assert answer.failure is failure
    assert text in answer.text
    assert answer.value is None


def test_a_syntax_error_has_its_place(evaluator):
    answer = evaluator.ask("true &&\n  (1 +")
    assert (answer.line, answer.column) == (2, 7)


def test_variables_of_one_question_do_not_reach_the_next(evaluator):
    assert evaluator.ask("x + 1", ("org",), {"x": 1}).value == 2
    assert evaluator.ask("x + 1", ("org",), {"x": 2}).value == 3
    assert "no variable or function `x`" in evaluator.ask("x + 1", ("org",)).text


@pytest.mark.parametrize(
    "expression",
    [
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.find('(a+)+$') == ''",
        "n.all(a, n.all(b, a + b >= 0))",
    ],
)
def test_what_does_not_answer_is_ended_and_the_next_question_is_answered(expression):
    with Evaluator(seconds=0.5) as running:
        running.know("list", {"n": list(range(20_000))})
        assert running.ask("n.size()", ("list",)).value == 20_000
        process = running._worker
        before = time.monotonic()
        answer = running.ask(expression, ("list",))
        assert answer == Answer(
            failure=Failure.TIME, text="no answer within 0.5 s of processor time; its process was ended"
        )
        assert time.monotonic() - before < 0.5 * PATIENCE + 5
        assert process.returncode is not None
        assert running.ask("n.size()", ("list",)).value == 20_000  # a new process, told everything again


def test_a_process_that_does_not_run_is_not_waited_for_without_end():
    with Evaluator(seconds=0.05) as running:
        assert running.ask("1 + 1").value == 2
        os.kill(running._worker.pid, signal.SIGSTOP)
        assert running.ask("1 + 1").failure is Failure.TIME
        assert running.ask("1 + 1").value == 2


def test_memory_is_bounded_and_the_next_question_is_answered():
    with Evaluator(seconds=100, start=100) as running:
        doubled = "t"
        for _ in range(9):
            doubled = f"({doubled} + {doubled})"
        answer = running.ask(doubled, (), {"t": "y" * 10_000_000})  # 5 GB of text
        assert answer.failure in (Failure.COST, Failure.WORKER, Failure.RUN)
        running.begin()
        assert running.ask("1 + 1").value == 2


def test_closing_ends_the_process():
    running = Evaluator()
    assert running.ask("1 + 1").value == 2
    pid = running._worker.pid
    running.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    running.close()


def test_numbers_beyond_64_bits_become_floating_point(evaluator):
    assert evaluator.ask("n > 1.0", (), {"n": 2**70}).value is True


def test_a_value_that_is_too_large_is_not_handed_on():
    with Evaluator(seconds=30) as running:
        answer = running.ask("[t, t, t]", (), {"t": "y" * 2_000_000})
        assert answer == Answer(failure=Failure.COST, text="its value has more than 4,194,304 characters")
        assert running.ask("1 + 1").value == 2


@pytest.mark.parametrize("expression", ["true ? true : " * 600 + "true", "1" + " + 1" * 2000])
def test_what_is_nested_too_deep_is_told_in_words(evaluator, expression):
    assert evaluator.compiles(expression) == Answer(failure=Failure.SYNTAX, text="it is nested too deep")


def test_a_long_chain_is_not_deep(evaluator):
    assert evaluator.compiles(" && ".join(["true"] * 1000)) == Answer(True)


def test_variables_that_are_nested_too_deep_are_no_crash(evaluator):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    answer = evaluator.ask("1 + 1", (), {"t": deep})
    assert answer == Answer(failure=Failure.COST, text="what it is asked about is nested too deep")


def test_what_a_policy_asks_has_an_end_together_and_the_next_one_begins_anew():
    slow = "n.all(a, n.all(b, a + b >= 0))"
    with Evaluator(seconds=60, together=0.05) as running:
        running.know("list", {"n": list(range(700))})
        assert running.ask(slow, ("list",)).value is True
        answer = running.ask("1 + 1")
        assert answer.failure is Failure.TIME
        assert answer.text == "the policy's questions took more than 0.05 s of processor time together"
        running.begin()
        assert running.ask("1 + 1").value == 2


def test_a_process_that_goes_down_says_how():
    with Evaluator() as running:
        assert running.ask("1 + 1").value == 2
        running._worker.kill()
        answer = running.ask("1 + 1")
        assert answer.failure is Failure.WORKER
        assert "(ended by signal 9)" in answer.text
        assert running.ask("1 + 1").value == 2
