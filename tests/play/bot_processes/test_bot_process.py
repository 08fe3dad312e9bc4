"""A bot process, with its child played by the test: batches, failures, starts, and bots that are given up."""

from __future__ import annotations

import pytest

from arena.errors import PluginError
from arena.play.bot_processes.bot_process import (
    MAX_KILLED_STARTS,
    MAX_LOST_MATCHES,
    MAX_UNANSWERED,
    SINGLE_REQUESTS,
    BotHealth,
    resolve_answer,
)
from arena.play.bot_processes.protocol import FailureReport
from arena.play.bot_processes.resource_watch import MAX_UNSOLICITED_BYTES
from arena.play.faults import BotFailure
from tests.play.bot_processes.conftest import LIMITS, FakeCpu
from tests.play.bot_processes.fake_child import FakeProcess

# Batches.


def test_messages_and_requests_travel_in_one_batch(fake: FakeProcess) -> None:
    fake.attach(2)
    fake.process.notify(0, "event0")
    fake.ask(1, 0)
    assert fake.process.sendable == 2
    assert fake.send() == ["match0 match1 event0 act1 act0"]
    assert fake.answer(1, 0) == [(1, 1), (0, 0)]


def test_nothing_is_sent_while_answers_are_pending(fake: FakeProcess) -> None:
    fake.attach(2)
    fake.ask(0)
    fake.send()
    fake.ask(1)
    assert (fake.send(), fake.process.sendable) == ([], 0)
    assert fake.answer(0) == [(0, 0)]
    assert fake.send() == ["act1"]


def test_slow_bot_gets_one_request_at_a_time(fake: FakeProcess) -> None:
    matches = SINGLE_REQUESTS + 2
    fake.attach(matches)
    fake.ask(0)
    fake.send()
    fake.answer(0, now=0.06)
    fake.ask(*range(matches))
    for m in range(SINGLE_REQUESTS):
        assert fake.send() == [f"act{m}"]
        assert fake.answer(0) == [(m, 0)]
    assert fake.send() == [f"act{matches - 2} act{matches - 1}"]


def test_number_of_an_ended_match_is_used_again(fake: FakeProcess) -> None:
    fake.attach(2)
    fake.process.detach(0, (0, 0), (1, 1))
    assert fake.send() == ["match0 match1 end0"]
    del fake.players[0], fake.players[0]
    fake.attach(1)
    assert fake.send() == ["match0"]


def test_sync_is_asked_only_after_messages_without_an_answer(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.ask(0)
    fake.send()
    fake.answer(0)
    assert not fake.process.sync(0, "asker")
    fake.process.notify(0, "over0")
    assert fake.process.sync(0, "asker")
    assert fake.send() == ["over0 sync0"]
    assert fake.answer(0) == [(0, 0)]


# Failures.


def test_failure_outside_a_decision_is_charged_to_the_player(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.players[0].deal = 3
    fake.ask(0)
    fake.send()
    report = FailureReport(0, "crash", "", False, 9)
    assert fake.answer(report, 1) == [(0, 1)]
    assert [(fault.kind, fault.deal) for fault in fake.players[0].faults] == [("crash", 3)]


def test_note_is_no_answer_and_no_fault_and_the_last_one_counts(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.ask(0)
    fake.send()
    notes = [FailureReport(0, "note", text, False, 0) for text in ("first", "second")]
    assert fake.answer(*notes, 1) == [(0, 1)]
    assert (fake.players[0].noted, fake.players[0].faults) == (["second"], [])
    answer = resolve_answer(FailureReport(0, "note", "an answer?", True, 0), (0, None, None))
    assert isinstance(answer, BotFailure)
    assert answer.kind == "invalid"


def test_answer_after_the_bank_is_used_up_is_a_timeout(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.warm_up()
    fake.ask(0)
    fake.send()
    assert fake.answer(0, now=0.7) == [(0, "timeout")]


@pytest.mark.parametrize("cause", ["crash", "timeout", "oversize"])
def test_child_that_ends_is_lost_with_its_requests(fake: FakeProcess, cause: str) -> None:
    """The scheduler says what becomes of its matches."""
    fake.attach(2)
    fake.warm_up()
    fake.ask(0, 1)
    if cause == "oversize":  # while nothing is pending
        answers_a_time = 3000  # of 17 bytes, which a pipe holds
        for _ in range(MAX_UNSOLICITED_BYTES // (17 * answers_a_time) + 1):
            fake.child.answer(*[10**15] * answers_a_time)
            fake.process.receive(0.0)
    else:
        fake.send()
        if cause == "crash":
            fake.crash(3)
        else:
            assert fake.process.deadline == pytest.approx(0.6)
            fake.process.expire(0.7)
    assert (fake.take(), fake.process.is_running, fake.process.sendable) == ([], False, 0)
    assert fake.process.lost is not None
    assert (fake.process.lost.kind, fake.process.is_doubtful) == (cause, False)


def test_match_that_is_charged_goes_on_in_a_new_child_with_what_is_left_of_its_bank(
    fake: FakeProcess,
) -> None:
    fake.attach(1)
    fake.warm_up()
    fake.ask(0)
    fake.send()
    fake.process.expire(0.7)
    failure, request = fake.process.charge_loss(fake.players[0], 0.7)
    assert (failure.kind, request and request[0], fake.process.lost) == ("timeout", 0, None)
    fake.make_ready(0.7)
    fake.ask(0)
    assert fake.send(0.7) == ["match0 act0"]
    assert fake.process.deadline == pytest.approx(0.7 + 0.1 + 2.0)  # for the first after a start, and no bank
    for _ in range(fake.players[0].max_faults - 1):
        fake.players[0].fail("crash", 0, "")
    fake.crash(3)
    fake.process.charge_loss(fake.players[0], 0.8)
    assert not fake.process.is_running


@pytest.mark.parametrize("status", [-9, 137])
def test_machine_may_have_killed_a_child(fake: FakeProcess, status: int) -> None:
    fake.attach(1)
    fake.crash(status)
    assert fake.process.lost
    assert fake.process.is_doubtful


def test_machine_may_have_delayed_a_bot_that_did_not_compute(fake: FakeProcess, cpu: FakeCpu) -> None:
    cpu.overloaded = True
    for _ in range(MAX_UNANSWERED):
        fake.attach(1)
        fake.ask(0)
        fake.send()
        assert fake.process.deadline is not None
        fake.process.expire(fake.process.deadline + 0.1)
        assert fake.process.is_doubtful
        assert fake.process.failure is None
        fake.process.charge_loss(fake.players[0], 0.0)
        fake.make_ready()
        fake.process.detach(0, (0, 0), (1, 1))


def test_child_that_ends_between_matches_is_no_loss(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.send()
    fake.process.detach(0, (0, 0), (1, 1))
    fake.crash(3)
    assert (fake.process.lost, fake.process.failure, fake.process.is_running) == (None, None, False)


# Starts.


@pytest.mark.parametrize(
    ("cause", "starts"), [("not ready", 2), ("ended", 2), ("unused", 2), ("killed", MAX_KILLED_STARTS)]
)
def test_few_starts_in_a_row_may_fail(starting: FakeProcess, cause: str, starts: int) -> None:
    for number in range(starts):
        assert (starting.process.failure, len(starting.children)) == (None, number + 1)
        if cause == "not ready":
            assert starting.process.deadline == pytest.approx(2.1 * number + 2.0)
            starting.process.expire(2.1 * number + 2.1)
        else:
            if cause == "unused":
                starting.make_ready()
            starting.crash(-9 if cause == "killed" else 3)
    assert starting.process.failure is not None
    assert starting.process.failure.kind == "no-start"
    starting.attach(1)
    assert [fault.kind for fault in starting.players[0].faults] == ["no-start"]
    assert not starting.process.is_running


def test_bot_killed_at_its_start_is_started_again(starting: FakeProcess) -> None:
    starting.attach(1)
    starting.ask(0)
    assert starting.crash() == []
    starting.make_ready()
    assert starting.send() == ["match0 act0"]
    assert starting.answer(1) == [(0, 1)]


def test_bot_that_waits_for_a_cpu_has_as_much_more_time(starting: FakeProcess, cpu: FakeCpu) -> None:
    cpu.waited = 1.9
    starting.process.expire(2.1)
    assert (len(starting.children), starting.process.failure) == (1, None)
    assert starting.process.deadline == pytest.approx(2.0 + 1.9)
    starting.make_ready(3.8)
    starting.attach(1)
    starting.warm_up(4.0)
    starting.ask(0)
    starting.send(4.0)
    cpu.waited, cpu.computed = 1.9 + 0.55, 0.1
    starting.process.expire(4.7)
    assert (starting.take(), len(starting.children)) == ([], 1)
    assert starting.process.deadline == pytest.approx(4.6 + 0.55)
    assert starting.answer(1, now=5.0) == [(0, 1)]


# Bots that are given up.


def miss_deadline(fake: FakeProcess, now: float) -> tuple[float, BotFailure]:
    """Let a bot miss a deadline and the match go on; return how long it had, and the failure."""
    fake.ask(0)
    fake.send(now)
    deadline = fake.process.deadline
    assert deadline is not None
    fake.process.expire(deadline + 0.001)
    failure, _ = fake.process.charge_loss(fake.players[0], now)
    if fake.process.is_running:
        fake.make_ready(now)
    return deadline - now, failure


def test_bot_that_never_answers_is_stopped_and_its_start_allowed_once(fake: FakeProcess) -> None:
    fake.attach(1)
    assert not fake.process.sync(1, "asker")
    missed = [miss_deadline(fake, 10.0 * number) for number in range(MAX_UNANSWERED)]
    assert [seconds for seconds, _ in missed[:2]] == pytest.approx([0.1 + 2.0 + 0.5, 0.1 + 0.2])
    assert [failure.kind for _, failure in missed] == ["timeout"] * (MAX_UNANSWERED - 1) + ["no-start"]
    assert missed[-1][1].detail.startswith(
        f"it was stopped after {MAX_UNANSWERED} time-outs before its first"
    )
    assert not fake.process.is_running
    fake.ask(0)
    assert fake.take() == [(0, "no-start")]


def test_bot_that_has_answered_is_not_stopped_for_time_outs(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.warm_up()
    for number in range(MAX_UNANSWERED):
        assert miss_deadline(fake, 10.0 * number)[1].kind == "timeout"
    assert fake.process.failure is None


@pytest.mark.parametrize(
    ("kept", "start_s", "is_stopped"),
    [(MAX_LOST_MATCHES - 1, 1.0, True), (MAX_LOST_MATCHES, 1.0, False), (0, 0.1, False)],
)
def test_bot_that_starts_slowly_and_loses_most_matches_is_stopped(
    kept: int, start_s: float, *, is_stopped: bool
) -> None:
    health = BotHealth(LIMITS)
    for loss in (None, BotFailure("crash", "its program ended (status 3)")):
        for _ in range(MAX_LOST_MATCHES if loss else kept):
            assert health.failure is None
            health.note_start(start_s)
            health.note_match(loss)
    assert (health.failure is not None) == is_stopped


def test_program_that_does_not_exist_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeProcess(LIMITS)

    def fail() -> None:
        raise PluginError("no such program")

    monkeypatch.setattr(fake.process, "_launch", fail)
    fake.process.start(0.0)
    assert isinstance(fake.process.failure, BotFailure)
    assert (fake.process.failure.kind, fake.process.failure.detail) == ("no-start", "no such program")
