"""Processes that end in the middle of matches: no result depends on the moment, or on matches beside it."""

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena.games import variant
from arena.play import Limits
from arena.play.bot_processes import LaunchSpec, ProcessPool
from arena.play.isolation import Program, tree_pids
from arena.tournament.engine.engine import RunOptions
from bots.plain import Greedy
from tests.play.bot_processes.checksum_bots import Checksum
from tests.play.bot_processes.hosted_matches import play_matches, spec_of_file
from tests.tournament.made_runs import make_run

LIVES = variant("lives", tokens=1)
PATIENT = Limits(start_ms=60_000, decision_ms=60_000)
MORTAL = """
import os, zlib
from arena.play import Bot

class Mortal(Bot):
    def act(self, view):
        text = f"{self.info.key} {view.deal} {len(view.events)}"
        if zlib.crc32(text.encode()) % 25 == 0:
            os._exit(3)
        return view.legal[zlib.crc32(text.encode()[::-1]) % len(view.legal)]
"""
COLLUDERS = """
import os, signal, time, zlib
from arena.play import Bot

MET = set()

class Rememberer(Bot):
    '''Fails if it is asked about cards that another instance has met.'''

    def __init__(self, info):
        super().__init__(info)
        self.met = set()

    def act(self, view):
        deal = (view.dealt, view.widow_dealt)
        assert deal in self.met or deal not in MET
        self.met.add(deal)
        MET.add(deal)
        return view.legal[0]

class Ending(Bot):
    '''Ends its process in some matches, at their second decision.'''

    asked = 0

    def act(self, view):
        self.asked += 1
        if self.asked == 2 and zlib.crc32(self.info.key.encode()) % 2 == 0:
            self.end()
        return view.legal[0]

class Exiting(Ending):
    end = staticmethod(lambda: os._exit(3))

class Killed(Ending):
    end = staticmethod(lambda: os.kill(os.getpid(), signal.SIGKILL))

class Hanging(Ending):
    end = staticmethod(lambda: time.sleep(60))
"""


class KillingPool(ProcessPool):
    """Kills a bot's process when answers have been waited for a certain number of times."""

    def __init__(self, specs: dict[str, LaunchSpec], moments: Sequence[int]) -> None:
        super().__init__(specs, PATIENT, max_running=16)
        self._moments, self._waits, self.kills = moments, 0, 0
        self._used: set[int] = set()

    def wait(self, seconds: float | None) -> float:
        ready = [process.pid for process in self if process.is_ready and process.pid is not None]
        self._waits += any(process.pending for process in self)
        if self._waits in self._moments and self._waits not in self._used:
            self._used.add(self._waits)
            outermost, *inner = tree_pids(ready[self._waits % len(ready)])
            with suppress(ProcessLookupError):
                os.kill([outermost, *inner][-1 if self._waits % 2 else 0], signal.SIGKILL)
                self.kills += 1
        return super().wait(seconds)


def spec_of_code(folder: Path, code: str, name: str) -> LaunchSpec:
    """Return the spec of a bot in a file with this code."""
    file = folder / "bot.py"
    file.write_text(code)
    folder.chmod(0o755)
    return LaunchSpec("process", Program(home=file, arguments=(f"{file}:{name}",)), {})


@pytest.mark.parametrize(
    "moments", [[1], [4], [9, 10], [20], [35], range(3, 900, 150), range(8, 900, 200)], ids=str
)
def test_bots_that_are_killed_play_the_same(moments: Sequence[int]) -> None:
    """Also a bot whose play depends on all that it has seen and heard, one after the other."""
    spec = spec_of_file("Checksum", "checksum_bots.py")
    table = [spec, spec, Checksum]
    pool = KillingPool({"bot 0": spec}, moments)
    try:
        played = play_matches(LIVES, table, 12, PATIENT, pool=pool)
    finally:
        pool.close()
    assert pool.kills
    assert pool.repeats
    assert played == play_matches(LIVES, [Checksum] * 3, 12, PATIENT)


def test_crashes_are_charged_to_the_same_decisions_however_many_matches_are_in_flight(tmp_path: Path) -> None:
    mortal = spec_of_code(tmp_path, MORTAL, "Mortal")
    alone, some, all_together = (
        play_matches(LIVES, [mortal, Greedy, mortal], 14, PATIENT, in_flight=in_flight)
        for in_flight in (1, 5, 128)
    )
    assert alone == some == all_together
    crashes = [match for match in alone if match.faults]
    assert 1 < len(crashes) < 14
    assert {kind for match in crashes for _, kind, _ in match.faults} == {"crash"}


def test_crashes_are_charged_to_the_same_decisions_however_many_workers_play(tmp_path: Path) -> None:
    spec_of_code(tmp_path, MORTAL, "Mortal")
    played = []
    for jobs in (1, 2):
        bots: list[Any] = [{"bot": "bot.py:Mortal", "name": "mortal"}, "random"]
        run = make_run(tmp_path / f"run {jobs}", bots, blocks=6, isolation="process")
        assert run.play(RunOptions(jobs=jobs)) == "done"
        played.append(
            [(match.actions, match.faults) for _, result in run.outcomes() for match in result.matches]
        )
    assert played[0] == played[1]
    assert any(faults for _, faults in played[0])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param("Exiting", "crash", marks=pytest.mark.full),
        ("Killed", "crash"),
        ("Hanging", "timeout"),
    ],
)
def test_bot_that_remembers_cards_never_meets_them_again_after_anothers_crash(
    tmp_path: Path, name: str, kind: str
) -> None:
    rememberer = spec_of_code(tmp_path, COLLUDERS, "Rememberer")
    ending = LaunchSpec("process", spec_of_code(tmp_path, COLLUDERS, name).program, {})
    limits = Limits(start_ms=1500, decision_ms=200, bank_ms=0, faults=1) if kind == "timeout" else PATIENT
    played = play_matches(LIVES, [rememberer, ending, rememberer], 8, limits)
    assert {fault[:2] for match in played for fault in match.faults} == {(1, kind)}


def test_match_is_begun_again_at_most_twice(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Twice only where the machine may have killed the bot."""
    caplog.set_level("INFO", "arena")
    for name, expected in (("Exiting", 2), ("Killed", 3)):
        caplog.clear()
        ending = spec_of_code(tmp_path, COLLUDERS.replace("% 2 == 0", ">= 0"), name)
        play_matches(LIVES, [ending, Greedy], 1, Limits(start_ms=60_000, decision_ms=60_000, faults=1))
        ends = [record for record in caplog.records if "ended: " in record.getMessage()]
        assert len(ends) == expected
