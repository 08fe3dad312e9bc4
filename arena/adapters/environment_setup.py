"""The common parts of the environments: rules and opponents, rewards, and matches as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Final, Literal, cast, get_args

import click
import numpy as np

from arena.errors import ConfigError, InvalidRules, suggest_nearest
from arena.games import Match, Rules, variant
from arena.games.settlement.base import ChipSettlement
from arena.output.texts.review import format_deal, format_result
from arena.play.bot import Info
from arena.play.players import DEFERRED, Player
from arena.play.single_match import LoadedBot, load_bot
from arena.plugins import check_supported

# --- environment setup ---
# Setting up environments: rules, opponents, the seeds of matches, and actions that are forced.

SEED_BYTES: Final = 16


def make_rules(name: str | Rules, players: int, options: Mapping[str, Any]) -> Rules:
    """Return a variant's rules with options, for a table of `players`.

    Raises:
        TypeError: `players` is not a whole number, or `name` is neither a name nor rules.
        UnknownVariant: There is no such variant.
        UnknownOption: It has no such option, or not with that value.
        InvalidRules: The number of seats does not fit.
    """
    if not isinstance(name, str | Rules):
        raise TypeError(f"a variant is given by its name or as rules, not as {name!r}")
    rules = variant(name, **options) if isinstance(name, str) else name.with_options(dict(options))
    if not isinstance(players, Integral):
        raise TypeError(f"players is a whole number, not {players!r}")
    if players not in rules.players:
        raise InvalidRules(f"{rules} cannot be dealt to {players}: {rules.explain_player_limit(players)}")
    return rules


def list_opponents(opponents: Any) -> list[Any]:
    """Return opponents as a list; one name is a list of one.

    Raises:
        TypeError: They are neither a name nor a list.
    """
    if isinstance(opponents, str):
        return [opponents]
    if not isinstance(opponents, Sequence):
        raise TypeError(f"opponents is a list of bots, such as ['greedy'], not {opponents!r}")
    return list(opponents)


def choose_match_seed(seed: int | None, options: Mapping[str, Any] | None, rng: np.random.Generator) -> str:
    """Return the text that seeds the match after a reset.

    Args:
        seed: The seed of the reset; it is the match's, written in digits.
        options: The options of the reset: a text under `seed` seeds the match itself.
        rng: The randomness of the environment, for a reset without a seed.

    Raises:
        TypeError: The option `seed` is not a text.
    """
    text = (options or {}).get("seed")
    if text is not None and not isinstance(text, str):
        raise TypeError(f"options: seed is a text, as in a record, not {text!r}; a number is reset(seed=…)")
    if text is None and seed is not None:
        return str(int(seed))
    return draw_match_seed(rng) if text is None else text


def draw_match_seed(rng: np.random.Generator) -> str:
    """Return the seed of a match drawn at random."""
    return rng.bytes(SEED_BYTES).hex()


def play_forced(match: Match) -> None:
    """Play actions that are the only legal ones, of which a seat is not asked, up to a decision."""
    while not match.is_over and match.deal.legal_actions.is_forced:
        match.apply(match.deal.legal_actions.default)


# --- opponents ---
# Bots and agents in the seats of an environment.

AGENT: Final = "agent"
"""The name of the agent's seat in transcripts."""


class LearningPlayer(Player):
    """The agent's seat: the referee leaves its decisions to the environment."""

    def __init__(self, info: Info) -> None:
        super().__init__(info, AGENT)
        self.act = DEFERRED


def load_opponents(bots: Sequence[Any], rules: Rules, seats: int) -> list[LoadedBot]:
    """Load bots into this process and repeat them to fill the seats.

    Raises:
        PluginError: One of them is not a bot, or there is none of that name.
        ConfigError: One does not play the variant, or there are too many.
    """
    loaded = [load_bot(bot) for bot in repeat_opponents(bots, seats)]
    for bot in loaded:
        check_supported(bot.name, bot.variants, [rules])
    return loaded


def repeat_opponents(opponents: Sequence[Any], seats: int) -> list[Any]:
    """Repeat opponents to fill the seats.

    Raises:
        ConfigError: There are too many.
    """
    if len(opponents) > seats:
        raise ConfigError(
            f"{len(opponents)} opponents at a table of {seats + 1}: leave some out, or raise players"
        )
    return [opponents[place % len(opponents)] for place in range(seats)]


# --- rewards ---
# The rewards of a match that is over: by placing, which sum to zero, or by payoff.

RewardKind = Literal["placing", "payoff"]
REWARD_KINDS: Final = get_args(RewardKind)
LOWEST_PLACING_REWARD: Final = -1.0
LOWEST_PAYOFF: Final = -1000.0
"""Stands for the lowest payoff in chips and points, which have no bound."""


def check_reward_kind(kind: str) -> RewardKind:
    """Return the kind of reward.

    Raises:
        ConfigError: There is none of that name.
    """
    if kind not in REWARD_KINDS:
        raise ConfigError(f"no rewards {kind!r}: {suggest_nearest(str(kind), REWARD_KINDS)}")
    return cast(RewardKind, kind)


def placing_rewards(placings: Sequence[int]) -> tuple[float, ...]:
    """Return by seat the part of the others placed worse less the part placed better: from -1 to 1.

    Example:
        >>> placing_rewards((1, 2, 2))
        (1.0, -0.5, -0.5)
    """
    others = len(placings) - 1
    return tuple(
        [
            (sum([other > own for other in placings]) - sum([other < own for other in placings])) / others
            for own in placings
        ]
    )


def match_rewards(match: Match, kind: RewardKind) -> tuple[float, ...]:
    """Return the rewards by seat of a match that is over."""
    if kind == "placing":
        return placing_rewards(match.placings)
    return tuple(map(float, match.payoffs))


def lowest_reward(rules: Rules, players: int, kind: RewardKind) -> float:
    """Return a reward as low as any of a match: the one for an illegal action.

    A payoff in tokens is at the lowest what one begins with and a free ride; one in chips or points has no
    bound, and `LOWEST_PAYOFF` stands for it.
    """
    if kind == "placing":
        return LOWEST_PLACING_REWARD
    tokens = rules.settlement.initial_holdings(players).tokens
    is_in_tokens = tokens is not None and not isinstance(rules.settlement, ChipSettlement)
    return -1.0 - max(tokens) if tokens and is_in_tokens else LOWEST_PAYOFF


# --- rendering ---
# Matches as text, for the render modes `ansi` and `human`.

RENDER_MODES: Final = ("ansi", "human")


def check_render_mode(mode: str | None) -> None:
    """Raise ConfigError if there is no such render mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise ConfigError(f"no render mode {mode!r}: {suggest_nearest(str(mode), RENDER_MODES)}")


def render_match(match: Match, names: Sequence[str]) -> str:
    """Return the transcript of the deal being played, or of the last one and the match's result."""
    parts = [format_deal(match.deal, names)]
    if match.is_over:
        parts += format_result(match.finished_deals, names)
    return "\n\n".join(parts)


def print_match(match: Match, names: Sequence[str]) -> None:
    """Print the same."""
    click.echo(render_match(match, names) + "\n")


def print_finished_deals(match: Match, names: Sequence[str], printed: int) -> int:
    """Print the deals that are over, beyond those printed; return how many are."""
    for deal in match.finished_deals[printed:]:
        click.echo(format_deal(deal, names) + "\n")
    if match.is_over and printed < len(match.finished_deals):
        click.echo("\n\n".join(format_result(match.finished_deals, names)) + "\n")
    return len(match.finished_deals)
