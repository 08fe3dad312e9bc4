"""Makes the batch of a vector environment: compiled where the game can be, else by the rules."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

from arena.adapters.compiled_batch import CompiledPlay, load_compiled_play
from arena.adapters.match_batch import BatchSpec, MatchBatch
from arena.adapters.opponents import load_opponents
from arena.adapters.rewards import check_reward_kind, lowest_reward
from arena.adapters.rules_batch import RulesBatch
from arena.errors import ConfigError, InvalidRules
from arena.games import Rules


def is_policy(opponent: Any) -> bool:
    """Return whether an opponent is a function, and not a bot or a bot's class."""
    return callable(opponent) and not hasattr(opponent, "act")


def make_spec(
    rules: Rules, players: int, count: object, rewards: str, illegal_reward: float | None
) -> BatchSpec:
    """Return what is played.

    Raises:
        ConfigError: There are no such rewards, or `count` is not a whole number from 1 on.
    """
    if not isinstance(count, Integral) or count < 1:
        raise ConfigError(f"num_envs must be a whole number of 1 or more, not {count!r}")
    kind = check_reward_kind(rewards)
    illegal = lowest_reward(rules, players, kind) if illegal_reward is None else float(illegal_reward)
    return BatchSpec(rules, players, int(count), kind, illegal)


def make_batch(spec: BatchSpec, opponents: list[Any], compiled: bool | None) -> tuple[MatchBatch, list[Any]]:
    """Return the matches, compiled if they can be, and the opponents as they take them.

    Raises:
        InvalidRules: They cannot be compiled, and `compiled` is true.
    """
    bots = [opponent for opponent in opponents if not is_policy(opponent)]
    if compiled is not False:
        play, why = find_compiled_play(spec.rules, bots)
        if play:
            return play.make_batch(spec), opponents
        if compiled:
            raise InvalidRules(f"no compiled play: {why}")
    loaded = iter(load_opponents(bots, spec.rules, len(bots)))
    return RulesBatch(spec), [opponent if is_policy(opponent) else next(loaded) for opponent in opponents]


def find_compiled_play(rules: Rules, bots: Iterable[Any]) -> tuple[CompiledPlay | None, str]:
    """Return the compiled play of a game and of bots; or None, and why it is not compiled."""
    play = load_compiled_play(rules)
    if play is None:
        return None, f"the {rules.family} family has none"
    why = play.explain_unserved(rules)
    strangers = [bot for bot in bots if not (isinstance(bot, str) and bot in play.POLICIES)]
    if strangers:
        why = why or f"the bot {strangers[0]!r} is not compiled, only {', '.join(play.POLICIES)} are"
    return (None, why) if why else (play, "")
