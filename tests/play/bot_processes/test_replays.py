"""A bot process whose child ends: retries, replays, who is charged, and what restarts may cost."""

import pytest

from arena.play.bot_processes.fault_attribution import MAX_UNCHARGED_CRASHES
from arena.play.bot_processes.protocol import FailureReport
from tests.play.bot_processes.fake_child import FakeProcess


def test_request_is_repeated_after_a_crash_and_charged_if_it_crashes_again(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.ask(0)
    fake.send()
    assert fake.crash() == []
    fake.make_ready()
    assert fake.send() == ["match0"]
    assert fake.send() == ["act0"]
    assert fake.crash() == [(0, "crash")]


def test_requests_that_were_pending_together_are_repeated_singly(fake: FakeProcess) -> None:
    fake.attach(2)
    fake.ask(0, 1)
    fake.send()
    assert fake.crash() == []
    fake.make_ready()
    fake.send()
    assert fake.send() == ["act0"]
    assert fake.answer(2) == [(0, 2)]
    assert fake.send() == ["act1"]
    assert fake.crash() == [(1, "crash")]


def test_every_crash_is_charged_after_a_few_without_an_answer(fake: FakeProcess) -> None:
    fake.attach(1)
    for _ in range(MAX_UNCHARGED_CRASHES):
        assert fake.crash() == []
        fake.make_ready()
        fake.send()
    fake.ask(0)
    fake.send()
    assert fake.crash() == [(0, "crash")]


def test_new_child_is_sent_all_again_and_its_known_answers_are_discarded(fake: FakeProcess) -> None:
    fake.attach(2)
    fake.ask(0)
    fake.send()
    fake.answer(0)
    fake.process.notify(0, "event0")
    fake.ask(0, 1)
    fake.send()
    assert fake.crash() == []
    fake.make_ready()
    assert fake.send() == ["match0 act0", "event0", "match1"]
    assert fake.answer(3) == []
    assert fake.send() == ["act0"]
    assert fake.answer(1) == [(0, 1)]


def test_machine_may_kill_a_process_at_any_number_of_different_requests(fake: FakeProcess) -> None:
    fake.attach(1)
    for asked in range(2 * MAX_UNCHARGED_CRASHES):
        fake.ask(0)
        fake.send()
        assert fake.crash() == []
        fake.make_ready()
        fake.send()
        for _ in range(asked):
            fake.answer(0)  # replayed
        fake.send()
        assert fake.answer(1) == [(0, 1)]


def test_crash_after_one_that_was_charged_is_the_first_at_its_request(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.ask(0)
    for charged in ([], [(0, "crash")]):
        fake.send()
        fake.send()
        assert fake.crash() == charged
        fake.make_ready()
    fake.ask(0)
    fake.send()
    assert fake.crash() == []


def crash_in_replay(fake: FakeProcess) -> None:
    """Let two children end in a row, the second while two matches are replayed to it."""
    fake.attach(2)
    fake.ask(0, 1)
    fake.send()
    fake.answer(0, 0)
    fake.ask(0, 1)
    fake.send()
    assert fake.crash() == []
    fake.make_ready()
    assert fake.send() == ["match0 act0", "", "match1 act1", ""]
    assert fake.crash() == []
    fake.make_ready()


def test_child_killed_in_a_replay_loses_no_match(fake: FakeProcess) -> None:
    crash_in_replay(fake)
    # One of the replayed requests may have ended the child: they are sent one at a time.
    assert fake.send() == ["match0 act0"]
    assert fake.answer(0) == []
    assert fake.child.received() == ["", "match1 act1"]
    assert fake.answer(0) == []
    assert fake.child.received() == [""]
    assert fake.send() == ["act0"]
    assert fake.answer(1) == [(0, 1)]
    assert fake.send() == ["act1"]
    assert fake.answer(2) == [(1, 2)]


def crash_before_an_end(fake: FakeProcess, requests: int) -> None:
    """Let a child end when a match is over but for its end, and end the match while the next child starts."""
    fake.attach(1)
    for _ in range(requests):
        fake.ask(0)
        fake.send()
        fake.send()
        fake.answer(0)
    fake.send()
    assert fake.crash() == []
    fake.process.detach(0, (0, 0), (1, 1))
    fake.attach(1)  # its number is another


def test_match_that_ends_before_it_was_replayed_is_ended_afterwards(fake: FakeProcess) -> None:
    crash_before_an_end(fake, 1)
    fake.make_ready()
    assert fake.send() == ["match0 act0", ""]
    fake.answer(0)
    assert fake.send() == ["match1 end0"]
    fake.process.notify(1, "event1")
    assert fake.send() == ["event1"]
    del fake.players[0], fake.players[0]
    fake.attach(1)
    assert fake.send() == ["match0"]


def test_match_without_decisions_that_ends_before_it_was_replayed_is_ended_afterwards(
    fake: FakeProcess,
) -> None:
    crash_before_an_end(fake, 0)
    fake.make_ready()
    assert fake.send() == ["match0"]
    assert fake.send() == ["match1 end0"]


def test_match_that_ended_is_not_replayed_to_the_next_child(fake: FakeProcess) -> None:
    crash_before_an_end(fake, 1)
    fake.make_ready()
    fake.send()
    assert fake.crash() == []
    fake.make_ready()
    assert fake.send() == ["match1"]
    assert fake.send() == []


def test_match_that_ends_its_replay_twice_is_charged_and_no_longer_replayed(fake: FakeProcess) -> None:
    crash_in_replay(fake)
    fake.send()
    assert fake.crash() == [(0, "crash")]
    fake.make_ready()
    assert fake.send() == ["match1 act1"]
    fake.answer(0)
    fake.child.received()
    assert fake.send() == ["act1"]
    assert fake.answer(1) == [(1, 1)]
    fake.ask(0)
    assert fake.send() == ["match0 act0"]


def test_failure_in_a_replay_is_charged_if_the_match_waits_for_others(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.ask(0)
    fake.send()
    fake.answer(0)
    for _ in range(2):
        assert fake.crash() == []
        fake.make_ready()
        fake.send()
    assert fake.crash() == []
    assert [fault.kind for fault in fake.players[0].faults] == ["crash"]


def test_decision_too_late_in_a_replay_is_repeated_once(fake: FakeProcess) -> None:
    fake.attach(2)
    fake.ask(0, 1)
    fake.send()
    fake.answer(0, 0)
    fake.ask(0)
    fake.send()
    fake.crash()
    for charged in ([], [(0, "timeout")]):
        fake.make_ready()
        assert fake.send()[0] == "match0 act0"
        assert fake.process.deadline is not None
        fake.process.expire(fake.process.deadline + 0.01)
        assert fake.take() == charged


def test_replayed_answer_that_comes_late_while_others_are_pending_charges_nobody(fake: FakeProcess) -> None:
    fake.attach(2)
    fake.ask(0, 1)
    fake.send()
    fake.answer(0, 0)
    fake.crash()
    fake.make_ready()
    assert fake.send() == ["match0 act0", "", "match1 act1", ""]
    assert fake.answer(0, now=10.0) == []
    assert fake.answer(0, now=10.0) == []
    fake.ask(1)
    assert fake.send(10.0) == ["act1"]
    assert fake.answer(2, now=10.0) == [(1, 2)]
    assert not fake.players[0].faults


def test_new_child_has_time_to_warm_up_and_each_replayed_match_a_bank(fake: FakeProcess) -> None:
    fake.attach(2)
    fake.ask(0, 1)
    fake.send()
    fake.answer(0, 0, now=0.59)
    assert fake.crash(now=1.0) == []
    fake.make_ready(1.0)
    fake.send(1.0)
    assert fake.process.deadline == pytest.approx(1.0 + 0.1 + 2.0 + 2 * 0.5)
    assert fake.answer(0, now=4.0) == []
    assert fake.process.deadline == pytest.approx(4.0 + 0.1 + 2 * 0.5)


def test_failure_outside_a_decision_is_not_charged_again_by_its_replay(fake: FakeProcess) -> None:
    fake.attach(1)
    fake.ask(0)
    fake.send()
    report = FailureReport(0, "crash", "", False, 0)
    fake.answer(report, 1)
    fake.crash()
    fake.make_ready()
    fake.send()
    fake.answer(report, 1)
    assert len(fake.players[0].faults) == 1
    fake.process.notify(0, "event0")
    fake.ask(0)
    fake.send()
    fake.answer(report, 1)
    assert len(fake.players[0].faults) == 2


def test_restarts_have_a_budget_and_replays_one_that_decisions_add_to(fake: FakeProcess) -> None:
    budget = fake.process.resource_watch.budget
    before = budget.left_s, budget.replays_left_s
    fake.attach(1)
    fake.ask(0)
    fake.send()
    fake.answer(0, now=0.5)
    assert (budget.left_s, budget.replays_left_s) == (before[0], before[1] + 0.5)
    fake.crash(now=1.0)
    fake.make_ready(1.25)
    assert budget.left_s == pytest.approx(before[0] - 0.25)
    fake.send(2.0)
    fake.answer(0, now=5.0)
    assert budget.left_s == pytest.approx(before[0] - 0.25)
    assert budget.replays_left_s == pytest.approx(before[1] + 0.5 - 3.0)
    fake.crash(now=5.0)
    fake.process.expire(7.5)  # a start that fails is paid for as well
    assert budget.left_s == pytest.approx(before[0] - 0.25 - 2.5)


def test_first_answer_of_a_restarted_child_is_part_of_its_restart(fake: FakeProcess) -> None:
    budget = fake.process.resource_watch.budget
    before = budget.left_s
    fake.attach(1)
    fake.ask(0)
    fake.send()
    fake.crash()
    fake.make_ready()
    fake.send()
    fake.send()
    assert fake.answer(0, now=1.5) == [(0, 0)]
    assert budget.left_s == pytest.approx(before - 1.5)
