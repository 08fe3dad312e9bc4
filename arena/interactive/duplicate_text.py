"""The score of a person against a bot that played the same cards, in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from arena.columns.number_format import format_count
from arena.games.settlement.holdings import Holdings
from arena.output.words.text import format_ordinal, format_signed

UNITS: Final = ("tokens", "chips", "points")
Result = Mapping[str, Any]
"""Placing and payoff of a match at one seat; of a bot also its name."""


class ComparedMatch(NamedTuple):
    """Results of a person and of a bot on the same cards."""

    game: str
    unit: str
    own: Result
    rival: Result


def find_unit(holdings: Holdings) -> str:
    """Return what a variant settles in: `tokens`, `chips` or `points`."""
    return next(unit for unit in UNITS if getattr(holdings, unit))


def compare_results(unit: str, own: Result, rival: Result) -> str:
    """Return how a person and a bot came out on the same cards: `You lost 2 tokens and came 3rd, …`."""
    return f"You {_describe(unit, own)}; {rival['bot']} {_describe(unit, rival)} on the same cards."


def sum_results(unit: str, results: Sequence[tuple[Result, Result]]) -> str:
    """Return the payoffs of a person and a bot over all matches that both have played."""
    own = sum([mine["payoff"] for mine, _ in results])
    other = sum([theirs["payoff"] for _, theirs in results])
    name = results[-1][1]["bot"]
    matches = format_count(len(results), "matches")
    return f"Over {matches}: you {format_signed(own)} {unit}, {name} {format_signed(other)}."


def sum_by_game(matches: Sequence[ComparedMatch]) -> list[tuple[str, str]]:
    """Return each game and, in words, the payoffs beside those of one bot, in the order of first matches."""
    groups: dict[tuple[str, str, str], list[tuple[Result, Result]]] = {}
    for match in matches:
        key = match.game, match.unit, match.rival["bot"]
        groups.setdefault(key, []).append((match.own, match.rival))
    return [(game, sum_results(unit, results)) for (game, unit, _), results in groups.items()]


def _describe(unit: str, result: Result) -> str:
    payoff = result["payoff"]
    if unit == "points":
        amount = f"made {format_signed(payoff)} points" if payoff else "made no points"
    elif payoff:
        amount = f"{'won' if payoff > 0 else 'lost'} {format_count(abs(payoff), unit)}"
    else:
        amount = f"kept your {unit}" if "bot" not in result else f"kept its {unit}"
    return f"{amount} and came {format_ordinal(result['placing'])}"
