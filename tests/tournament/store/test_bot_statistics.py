"""Failures of bots in a database."""

from pathlib import Path
from random import Random
from string import ascii_lowercase

from arena.tournament.store.bot_statistics import (
    MAX_BOT_FAILURES,
    OTHER_FAILURES,
    add_failures,
)
from arena.tournament.store.codec import Failure
from arena.tournament.store.store import Store
from tests.tournament import fake_run


def test_the_failures_kept_of_very_many_do_not_depend_on_their_order(tmp_path: Path) -> None:
    failures = [Failure("ann", "crash", f"ValueError: {letter}") for letter in ascii_lowercase] * 3
    statistics = []
    for seed in range(5):
        Random(seed).shuffle(failures)
        (tmp_path / str(seed)).mkdir()
        with Store.create(tmp_path / str(seed), fake_run.METADATA) as store:
            for failure in failures:
                add_failures(store.connection, {failure: 2})
            statistics.append(store.failures())
    assert all(counted == statistics[0] for counted in statistics)
    assert len(statistics[0]) == MAX_BOT_FAILURES + 1
    assert statistics[0][Failure("ann", "crash", "ValueError: a")] == 6
    assert statistics[0][Failure("ann", "crash", OTHER_FAILURES)] == 6 * 6
