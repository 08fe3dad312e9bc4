"""The time bank of a bot process: what a match may borrow, and who pays for answers that came together."""

import pytest

from arena.play import Limits
from arena.play.bot_processes.time_control import CPU_TOLERANCE_S, TimeControl
from tests.play.bot_processes.conftest import FakeCpu

LIMITS = Limits(decision_ms=100, bank_ms=500, start_ms=2000)


@pytest.fixture
def clock(cpu: FakeCpu) -> TimeControl:
    """A clock after the process's first decision."""
    control = TimeControl(LIMITS)
    control.charge([0], 0.0)
    return control


def test_process_must_be_ready_within_the_start_limit(clock: TimeControl) -> None:
    clock.since = 10.0
    assert clock.start_deadline() == pytest.approx(12.0)


def test_first_decision_may_take_as_long_as_a_start_besides(cpu: FakeCpu) -> None:
    clock = TimeControl(LIMITS)
    assert clock.deadline(0, 1) == pytest.approx(0.1 + 2.0 + 0.5)
    assert clock.charge([0], 2.05) == (2.05, True)
    assert clock.deadline(0, 1) == pytest.approx(2.05 + 0.1 + 0.5)


def test_decision_within_its_limit_leaves_the_bank_alone(clock: TimeControl) -> None:
    assert clock.charge([0], 0.09) == (0.09, True)
    assert clock.deadline(0, 1) == pytest.approx(0.09 + 0.1 + 0.5)


def test_excess_is_paid_from_the_bank_of_the_match(clock: TimeControl) -> None:
    assert clock.charge([0], 0.4)[1]
    assert clock.deadline(0, 1) == pytest.approx(0.4 + 0.1 + 0.2)
    assert clock.deadline(1, 1) == pytest.approx(0.4 + 0.1 + 0.5)
    clock.end_match(0)
    assert clock.deadline(0, 1) == pytest.approx(0.4 + 0.1 + 0.5)


def test_answer_is_late_when_the_bank_is_empty(clock: TimeControl) -> None:
    assert clock.charge([0], 0.4)[1]
    clock.since = 1.0
    assert not clock.charge([0], 1.35)[1]
    assert clock.deadline(0, 1) == pytest.approx(1.35 + 0.1)  # the decision's own time remains


def test_last_of_several_answers_pays(clock: TimeControl) -> None:
    assert clock.charge([0, 1, 2], 0.4)[1]
    assert [clock.deadline(m, 1) for m in range(3)] == pytest.approx([1.0, 1.0, 0.7])


def test_bot_that_answers_all_at_once_has_the_time_of_all(clock: TimeControl) -> None:
    clock.batched = True
    assert clock.deadline(0, 4) == pytest.approx(0.4 + 0.5)
    assert clock.charge([0, 1, 2, 3], 0.4)[1]
    assert clock.deadline(3, 1) == pytest.approx(0.4 + 0.1 + 0.5)
    assert not clock.is_slow(0.4)


def test_bot_is_slow_beyond_half_its_limit(clock: TimeControl) -> None:
    assert [clock.is_slow(seconds) for seconds in (0.04, 0.06)] == [False, True]


def charged(clock: TimeControl, m: int, now: float) -> tuple[float, bool]:
    """Charge an answer; return its time, rounded, and whether it was in time."""
    seconds, in_time = clock.charge([m], now)
    return round(seconds, 6), in_time


def test_time_waited_for_a_cpu_is_not_charged(clock: TimeControl, cpu: FakeCpu) -> None:
    clock.restart(1.0)
    cpu.computed, cpu.waited = 0.05, 2.0
    assert charged(clock, 0, 3.7) == (0.7, False)
    clock.restart(4.0)
    cpu.waited += 2.95
    assert charged(clock, 1, 7.0) == (0.05, True)
    assert clock.deducted_s == pytest.approx(2.0 + 2.95)


def test_time_computed_is_charged_however_long_others_waited(clock: TimeControl, cpu: FakeCpu) -> None:
    """A bot cannot buy time with threads of its own that wait for each other."""
    clock.restart(1.0)
    cpu.computed, cpu.waited = 0.9, 30.0
    assert charged(clock, 0, 2.0) == (0.9, False)


def test_bot_that_only_sleeps_is_suspect_on_an_overloaded_machine_only(
    clock: TimeControl, cpu: FakeCpu
) -> None:
    clock.restart(1.0)
    assert not clock.is_suspect(2.0)
    cpu.overloaded = True
    assert clock.is_suspect(2.0)
    cpu.computed = 0.8
    clock.deduct_waiting(2.0)
    assert not clock.is_suspect(2.0)


def test_cpu_time_beyond_the_time_that_passed_is_charged(
    cpu: FakeCpu, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads on several cores buy a bot no time, however it is measured on the way."""
    monkeypatch.setattr("arena.play.bot_processes.time_control.count_cores", lambda: 8)
    for looks in ([], [1.02, 1.05]):
        clock = TimeControl(LIMITS)
        clock.charge([0], 0.0)
        cpu.computed = 0.0
        clock.restart(1.0)
        for now in looks:
            cpu.computed = (now - 1.0) * 7
            clock.add_parallel_cpu(now)
        cpu.computed, cpu.waited = 0.75 + CPU_TOLERANCE_S, cpu.waited + 30.0
        assert charged(clock, 0, 1.09) == (0.75, False)


def test_deadline_comes_sooner_for_a_bot_that_computes_on_many_cores(
    clock: TimeControl, cpu: FakeCpu
) -> None:
    clock.restart(1.0)
    cpu.computed = 1.0 + CPU_TOLERANCE_S
    clock.add_parallel_cpu(1.25)
    assert clock.deadline(0, 1) == pytest.approx(0.25 + 0.1 + 0.5)


def test_cpu_time_within_the_time_that_passed_changes_nothing(clock: TimeControl, cpu: FakeCpu) -> None:
    clock.restart(1.0)
    cpu.computed = 0.09
    clock.add_parallel_cpu(1.09)
    assert charged(clock, 0, 1.09) == (0.09, True)
    assert clock.deadline(0, 1) == pytest.approx(1.09 + 0.1 + 0.5)
