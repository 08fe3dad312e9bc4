"""A bot process, with its child played by the test: batches, and charging of failures."""

from __future__ import annotations

import pytest

from arena.errors import PluginError
from arena.play.bot_processes.protocol import FailureReport
from arena.play.bot_processes.resource_watch import MAX_UNSOLICITED_BYTES
from arena.play.bot_processes.send_queue import SINGLE_REQUESTS
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


# Charging.


def test_failure_outside_a_decision_is_charged_to_the_player(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.players[0].deal = 3
    fake.ask(0)
    fake.send()
    report = FailureReport(0, "crash", "", False, 9)
    assert fake.answer(report, 1) == [(0, 1)]
    assert [(fault.kind, fault.deal) for fault in fake.players[0].faults] == [("crash", 3)]


def test_missed_deadline_is_charged_to_the_first_request_and_the_others_are_repeated(
    fake: FakeProcess,
) -> None:
    fake.attach(3)
    fake.ask(0)
    fake.send()
    fake.answer(0)  # warm
    fake.ask(1, 2)
    fake.send()
    assert fake.process.deadline == pytest.approx(0.6)
    fake.process.expire(0.7)
    assert fake.take() == [(1, "timeout")]
    fake.make_ready()
    # Of the match that timed out the new child learns when it is asked again.
    assert fake.send() == ["match0 act0", "", "match2"]
    assert fake.answer(0) == []
    assert fake.send() == ["act2"]
    assert fake.answer(1) == [(2, 1)]
    fake.ask(1)
    assert fake.send() == ["match1 act1"]


def test_answer_after_the_bank_is_used_up_is_a_timeout(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.ask(0)
    fake.send()
    fake.answer(0)
    fake.ask(0)
    fake.send()
    assert fake.answer(0, now=0.7) == [(0, "timeout")]


def test_failure_while_nothing_is_pending_is_charged_to_the_next_request(fake: FakeProcess) -> None:
    fake.attach(2)
    answers_a_time = 3000  # of 17 bytes, which a pipe holds
    for _ in range(MAX_UNSOLICITED_BYTES // (17 * answers_a_time) + 1):
        fake.child.answer(*[10**15] * answers_a_time)
        fake.process.receive(0.0)
    fake.make_ready()
    fake.ask(0, 1)
    assert fake.take() == [(0, "oversize")]
    assert (fake.send(), fake.send()) == (["match0", "match1"], ["act1"])


def test_bot_that_is_not_ready_in_time_twice_cannot_start(starting: FakeProcess) -> None:
    assert starting.process.deadline == pytest.approx(2.0)
    starting.attach(1)
    starting.ask(0)
    starting.process.expire(2.1)
    assert (starting.take(), len(starting.children), starting.process.repeats) == ([], 2, 1)
    assert starting.process.deadline == pytest.approx(4.1)
    starting.process.expire(4.2)
    assert starting.take() == [(0, "no-start")]
    starting.ask(0)
    assert starting.take() == [(0, "no-start")]
    assert not starting.process.is_running


def test_bot_killed_at_its_start_is_started_again(starting: FakeProcess) -> None:
    starting.attach(1)
    starting.ask(0)
    assert starting.crash() == []
    starting.make_ready()
    assert starting.send() == ["match0 act0"]
    assert starting.answer(1) == [(0, 1)]


def test_bot_that_waits_for_a_cpu_has_as_much_more_time_to_start(starting: FakeProcess, cpu: FakeCpu) -> None:
    cpu.waited = 1.9
    starting.process.expire(2.1)
    assert (len(starting.children), starting.process.failure) == (1, None)
    assert starting.process.deadline == pytest.approx(2.0 + 1.9)
    starting.make_ready(3.8)


def test_bot_that_waits_for_a_cpu_has_as_much_more_time_to_answer(fake: FakeProcess, cpu: FakeCpu) -> None:
    fake.attach(1)
    fake.ask(0)
    fake.send()
    fake.answer(0)  # warm
    fake.ask(0)
    fake.send()
    cpu.waited, cpu.computed = 0.55, 0.1
    fake.process.expire(0.7)
    assert (fake.take(), len(fake.children)) == ([], 1)
    assert fake.process.deadline == pytest.approx(0.6 + 0.55)
    assert fake.answer(1, now=1.0) == [(0, 1)]


def test_decision_is_repeated_once_if_an_overloaded_machine_may_have_delayed_it(
    fake: FakeProcess, cpu: FakeCpu
) -> None:
    cpu.overloaded = True
    fake.attach(1)
    fake.ask(0)
    fake.send()
    fake.answer(0)  # warm
    fake.ask(0)
    fake.send()
    fake.process.expire(0.7)
    assert (fake.take(), fake.process.repeats) == ([], 1)
    fake.make_ready(0.7)
    fake.send(0.7)
    fake.answer(0, now=0.7)  # replayed
    assert fake.send(0.7) == ["act0"]
    fake.process.expire(1.5)
    assert fake.take() == [(0, "timeout")]


def test_program_that_does_not_exist_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeProcess(LIMITS)

    def fail() -> None:
        raise PluginError("no such program")

    monkeypatch.setattr(fake.process, "_launch", fail)
    fake.process.start(0.0)
    assert isinstance(fake.process.failure, BotFailure)
    assert (fake.process.failure.kind, fake.process.failure.detail) == ("no-start", "no such program")
