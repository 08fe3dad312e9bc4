"""A bot that never answers: a start's allowance is granted once, and it is stopped after a few time-outs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.games import variant
from arena.play import Limits
from arena.play.bot_processes.unresponsive_bots import MAX_UNANSWERED, BotTrial
from arena.play.isolation import Level, probe
from bots.plain import Greedy
from tests.play.bot_processes.conftest import LIMITS, FakeCpu
from tests.play.bot_processes.fake_child import FakeProcess
from tests.play.bot_processes.hosted_matches import open_pool, play_matches, spec_of_file

DECISION_S, BANK_S, START_S = (ms / 1000 for ms in (LIMITS.decision_ms, LIMITS.bank_ms, LIMITS.start_ms))
LAST_LINES = {"Hanging": "return wait(0)  # for ever", "Sleeping": "time.sleep(3600)"}


class Clock:
    """Lets a process miss deadline after deadline."""

    def __init__(self, fake: FakeProcess) -> None:
        self._fake, self.now = fake, 0.0

    def miss(self, m: int) -> float:
        """Ask a match, let the deadline pass, and return how long the bot had."""
        self._fake.ask(m)
        while not self._fake.process.pending:
            self._fake.send(self.now)
        deadline = self._fake.process.deadline
        assert deadline is not None
        allowed, self.now = deadline - self.now, deadline + 0.001
        self._fake.process.expire(self.now)
        if self._fake.process.is_running:
            self._fake.make_ready(self.now)
        return round(allowed, 3)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch, cpu: FakeCpu) -> Iterator[list[FakeProcess]]:
    """Two processes of one bot, whose children are ready."""
    monkeypatch.setattr("arena.play.bot_processes.child.stop", lambda child: child.close())
    trial = BotTrial()
    processes = [FakeProcess(LIMITS, trial) for _ in range(2)]
    for fake in processes:
        fake.process.start(0.0)
        fake.make_ready()
        fake.attach(2)
    yield processes
    for fake in processes:
        for child in fake.children:
            child.close_all()


def test_start_is_allowed_once_and_a_timeout_empties_the_bank(fake: FakeProcess) -> None:
    fake.attach(2)
    clock = Clock(fake)
    again = round(DECISION_S + START_S / 10, 3)
    assert [clock.miss(m) for m in (0, 0, 1, 1)] == [
        DECISION_S + START_S + BANK_S, again, again + BANK_S, again,
    ]  # fmt: skip
    assert [kind for _, kind in fake.take()] == ["timeout"] * 4


def test_bot_that_never_answers_is_stopped(fake: FakeProcess) -> None:
    fake.attach(2)
    clock = Clock(fake)
    for number in range(MAX_UNANSWERED):
        clock.miss(number // 3)
    answers = fake.take()
    assert [kind for _, kind in answers] == ["timeout"] * (MAX_UNANSWERED - 1) + ["no-start"]
    assert not fake.process.is_running
    assert fake.process.failure is not None
    assert fake.process.failure.detail.startswith(f"it was stopped after {MAX_UNANSWERED} time-outs")
    fake.ask(0)
    assert fake.take() == [(0, "no-start")]
    assert len(fake.children) == MAX_UNANSWERED


def test_an_answer_grants_the_start_again(fake: FakeProcess) -> None:
    fake.attach(1)
    clock = Clock(fake)
    clock.miss(0)
    fake.ask(0)
    fake.send(clock.now)
    fake.answer(0, now=clock.now)
    assert clock.miss(0) == DECISION_S  # of a child that has answered
    for _ in range(MAX_UNANSWERED):
        assert clock.miss(0) <= DECISION_S + START_S  # never stopped: it has answered once
    assert fake.process.failure is None
    assert "timeout" in [kind for _, kind in fake.take()]


def test_a_sync_is_no_answer(fake: FakeProcess) -> None:
    fake.attach(2)
    assert fake.process.sync(0, "asker")
    fake.send()
    fake.answer(0)
    assert Clock(fake).miss(1) == DECISION_S + START_S + BANK_S


def test_timeouts_that_the_machine_may_have_caused_stop_nobody(fake: FakeProcess, cpu: FakeCpu) -> None:
    fake.attach(1)
    fake.process.resource_watch.budget.left_s = 1000.0
    cpu.overloaded = True
    clock = Clock(fake)
    for _ in range(MAX_UNANSWERED):
        assert clock.miss(0) >= DECISION_S + START_S
        while not fake.process.pending:
            fake.send(clock.now)
        assert fake.process.deadline is not None
        clock.now = fake.process.deadline + 0.001
        fake.process.expire(clock.now)
        fake.make_ready(clock.now)
    assert [kind for _, kind in fake.take()] == ["timeout"] * MAX_UNANSWERED
    assert fake.process.failure is None


def test_processes_of_a_bot_are_asked_one_at_a_time_until_the_first_answer(two: list[FakeProcess]) -> None:
    first, second = two
    first.ask(0)
    second.ask(0)
    assert first.send() == ["match0 match1 act0"]
    assert (second.send(), second.process.sendable, second.process.deadline) == ([], 0, None)
    first.answer(0)
    assert second.process.sendable == 1
    assert second.send() == ["match0 match1 act0"]


def test_all_processes_of_a_bot_that_never_answers_are_stopped_together(two: list[FakeProcess]) -> None:
    first, second = two
    second.ask(0)
    clock = Clock(first)
    for number in range(MAX_UNANSWERED):
        clock.miss(number // 3)
    second.process.flush(clock.now)
    assert second.take() == [(0, "no-start")]
    assert len(second.children) == 1


def test_restarts_of_an_endless_loop_do_not_grow_with_the_matches() -> None:
    limits = Limits(decision_ms=20, bank_ms=20, start_ms=1000, faults=2)
    spec = spec_of_file("Hanging")
    with open_pool({"bot 0": spec}, limits) as pool:
        kinds = []
        for rotation in range(3):
            matches = play_matches(
                variant("lives", tokens=1), [spec, Greedy, Greedy], 4, limits, rotation=rotation, pool=pool
            )
            kinds += [kind for match in matches for _, kind, _ in match.faults]
    assert kinds.count("timeout") == MAX_UNANSWERED - 1
    assert kinds.count("no-start") == len(kinds) - kinds.count("timeout")


@pytest.mark.parametrize(
    ("name", "level"),
    [("Hanging", "process"), ("Sleeping", "process"), ("Sleeping", "landlock"), ("Sleeping", "sandbox")],
)
def test_timeout_shows_the_line_of_the_bot(
    level: Level, name: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (support := probe(level)).usable:
        pytest.skip(f"{level} is not usable here: {support.reason}")
    monkeypatch.setattr("arena.play.bot_processes.time_control.is_overloaded", lambda: False)
    limits = Limits(decision_ms=200, bank_ms=0, start_ms=1500, faults=1)
    spec = spec_of_file(name, level=level)
    play_matches(variant("lives", tokens=1), [spec, Greedy, Greedy], 1, limits)
    (record,) = [record for record in caplog.records if record.levelname == "WARNING"]
    lines = record.getMessage().splitlines()
    source = Path(__file__).with_name("hostile_bots.py").read_text(encoding="utf-8").splitlines()
    number = source.index(f"        {LAST_LINES[name]}") + 1
    assert lines[0].endswith("it was in:")
    assert (
        "limit 1.700 s: 0.200 for the decision + 1.500 for the first after a start + 0.000 left" in lines[0]
    )
    assert f'hostile_bots.py", line {number}, in act' in lines[1]
