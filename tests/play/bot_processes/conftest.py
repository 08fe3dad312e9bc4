"""A machine whose CPU times the test decides."""

import pytest


class FakeCpu:
    """CPU time of the bot, time waited for a CPU, and whether the machine is overloaded."""

    def __init__(self) -> None:
        self.computed = self.waited = 0.0
        self.overloaded = False


@pytest.fixture
def cpu(monkeypatch: pytest.MonkeyPatch) -> FakeCpu:
    fake = FakeCpu()
    module = "arena.play.bot_processes.time_control"
    monkeypatch.setattr(f"{module}.cpu_seconds", lambda pid: fake.computed)
    monkeypatch.setattr(f"{module}.waiting_seconds", lambda pid: fake.waited)
    monkeypatch.setattr(f"{module}.is_overloaded", lambda: fake.overloaded)
    return fake
