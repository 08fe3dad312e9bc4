"""Stopping points of a run: where a bot can leave it, and where it can be ended for good."""

from __future__ import annotations

from itertools import takewhile

import msgspec

from arena.errors import ConfigError, suggest_nearest
from arena.tournament.formats import StageIterator
from arena.tournament.setup.config import Config
from arena.tournament.storage.store import Store


def next_stopping_point(stages: StageIterator, store: Store) -> int | None:
    """Return the index of the first block that can still change; None at the end."""
    *_, last = stages.decided(store)
    played = store.count(last.indices)
    if played == len(last.indices):
        return None
    return last.indices.stop if played else last.indices.start


def count_finished(stages: StageIterator, store: Store) -> int:
    """Return after how many blocks a run can be ended: all tables of its round have played as many of them.

    To be called for a format whose stages have a `step`, while its last stage lacks blocks.
    """
    *_, last = stages.decided(store)
    start, step = last.indices.start, getattr(last, "step", len(last.indices))
    stored = (index for index in store.indices() if index >= start)
    finished = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(stored, last.indices, strict=False))
    )
    return start + finished // step * step


def withdraw(bot: str, config: Config, stages: StageIterator, store: Store) -> Config:
    """Return the config of a run that a bot leaves at the next stage that has not begun.

    Raises:
        ConfigError: For a bot that is not in it, or if no stage is left to decide.
    """
    names = [spec.name for spec in config.bots if spec.name not in config.withdrawn]
    if bot not in names:
        raise ConfigError(f"no bot in the run is called {bot!r}; {suggest_nearest(bot, names)}")
    if not stages.format.takes_withdrawals:
        raise ConfigError(
            f"no bot can be withdrawn from a {config.format}, whose blocks are fixed at the start: "
            f"start another run with the same seed and without {bot}"
        )
    since = next_stopping_point(stages, store)
    if since is None:
        raise ConfigError(f"the run is over: {bot} has played all its blocks")
    return msgspec.structs.replace(config, withdrawn={**config.withdrawn, bot: since})
