"""A machine whose CPU times the test decides, and bot processes whose child the test plays."""

from collections.abc import Iterator

import pytest

from arena.play import Limits
from tests.play.bot_processes.fake_child import FakeProcess

LIMITS = Limits(decision_ms=100, bank_ms=500, start_ms=2000)


class FakeCpu:
    """CPU time of the bot, time waited for a CPU, and whether the machine is overloaded."""

    def __init__(self) -> None:
        self.computed = self.waited = 0.0
        self.overloaded = False


@pytest.fixture
def cpu(monkeypatch: pytest.MonkeyPatch) -> FakeCpu:
    fake = FakeCpu()
    module = "arena.play.bot_processes.time_control"
    monkeypatch.setattr(f"{module}.read_usage", lambda pid: (fake.computed, fake.waited))
    monkeypatch.setattr(f"{module}.is_overloaded", lambda: fake.overloaded)
    return fake


@pytest.fixture
def starting(monkeypatch: pytest.MonkeyPatch, cpu: FakeCpu) -> Iterator[FakeProcess]:
    """A process whose child has not said that it is ready."""
    monkeypatch.setattr("arena.play.bot_processes.bot_process.stop", lambda child: child.close())
    process = FakeProcess(LIMITS)
    process.process.start(0.0)
    yield process
    for child in process.children:
        child.close_all()


@pytest.fixture
def fake(starting: FakeProcess) -> FakeProcess:
    """A process whose child is ready."""
    starting.make_ready()
    return starting
