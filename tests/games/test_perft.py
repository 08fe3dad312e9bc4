"""Perft: numbers of continuations from fixed positions, compared with golden counts.

A line of a perft file is a position, a play_out of so many decisions from the start, and the number of its
continuations of one action, of two, and so on. Counts that differ are shown action by action.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from arena.games import VARIANTS, Match, Rules, variant
from arena.games.action import format_cards
from tests.conftest import Golden
from tests.games.support.random_play import play_out, random_action, table_name, table_sizes, view_to_act

FOLDER = Path(__file__).parent / "perft"
HEAD = "# players, decisions before: continuations of one action, of two …\n"
SEED = "perft"
DECISIONS = (0, 7, 40)  # decisions before the count begins
MAX_COUNT = 2000  # continuations of the longest kind that are counted
MAX_DEPTH = 6


def perft(match: Match, depth: int) -> int:
    """The number of continuations of so many actions there are; a match that ends before has none."""
    actions = match.deal.legal_actions.actions
    if depth == 1 or not actions:
        return len(actions)
    return sum(divide(match, depth).values())


def divide(match: Match, depth: int) -> dict[str, int]:
    """The same for each first action alone, by its text."""
    counts = {}
    for action in match.deal.legal_actions.actions:
        twin = match.copy()
        twin.apply(action)
        counts[match.text(action)] = perft(twin, depth - 1) if depth > 1 else 1
    return counts


def position(rules: Rules, players: int, decisions: int) -> Match | None:
    """The match after so many decisions; None if it is over before."""
    for number, match in enumerate(play_out(rules.match(players, SEED), Random(SEED), random_action)):
        if number == decisions:
            return match
    return None


def counts(match: Match) -> Iterator[int]:
    """The continuations of one action, of two … as long as they are not too many."""
    for depth in range(1, MAX_DEPTH + 1):
        count = perft(match, depth)
        if depth > 1 and count > MAX_COUNT:
            return
        yield count


def all_counts(rules: Rules) -> str:
    """Return the expected content of the variant's perft file."""
    lines = [HEAD]
    for players in table_sizes(rules):
        for decisions in DECISIONS:
            match = position(rules, players, decisions)
            if match:
                lines.append(f"{players} {decisions}: {' '.join(map(str, counts(match)))}\n")
    return "".join(lines)


def difference(rules: Rules, told: str) -> str:
    """The first position whose counts are not as told, and what each action leads to there."""
    for line in told.splitlines()[1:]:
        where, _, numbers = line.partition(":")
        players, decisions = map(int, where.split())
        match = position(rules, players, decisions)
        if match is None:
            return f"{rules}, {players} players: over before {decisions} decisions"
        for depth, number in enumerate(map(int, numbers.split()), 1):
            if (count := perft(match, depth)) != number:
                shown = "\n".join(f"  {text}: {count}" for text, count in divide(match, depth).items())
                asked = f"seat {match.seat_to_act} is asked after {decisions} decisions of {players} players"
                return f"{rules}: {asked}\n{count} continuations of {depth} actions, not {number}\n{shown}"
    return "the positions are others"


@pytest.mark.parametrize("rules", VARIANTS, ids=table_name)
def test_the_numbers_of_continuations_are_as_before(rules: Rules, golden: Golden) -> None:
    counts = all_counts(rules)
    told = golden(FOLDER / f"{rules.name}.perft", counts)
    if told != counts:
        pytest.fail(difference(rules, told))


def test_every_perft_file_is_of_a_variant() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {rules.name for rules in VARIANTS}


def test_what_differs_is_shown_action_by_action() -> None:
    """After a knock the other cannot knock: 10 ways, then a new deal."""
    shown = difference(variant("lives"), f"{HEAD}2 0: 11 121\n")
    assert "lives: seat 0 is asked after 0 decisions of 2 players" in shown
    assert "120 continuations of 2 actions, not 121\n" in shown
    assert shown.endswith("\n  pass: 11\n  knock: 10")


# --- lives, counted once more by a few lines that know nothing of the rule book ---

Cards = list[list[str]]  # the hands and, last, the widow


def naive(cards: Cards, turns: list[int], depth: int, closing: bool = False) -> Iterator[tuple[str, Cards]]:
    """All ways to play so many turns of lives, each with the cards as they lie then; a deal's end ends it."""
    if not depth or not turns:
        yield "", cards
        return
    seat, *later = turns
    for mine in range(3):
        for theirs in range(3):
            moved = [hand[:] for hand in cards]
            moved[seat][mine], moved[-1][theirs] = moved[-1][theirs], moved[seat][mine]
            told = f"{seat}:{cards[seat][mine]}>{cards[-1][theirs]} "
            yield from ((told + rest, end) for rest, end in naive(moved, later, depth - 1, closing))
    for word in ("pass",) if closing else ("pass", "knock"):
        others = later if word == "pass" else later[: len(cards) - 2]
        following = naive(cards, others, depth - 1, closing or word == "knock")
        yield from ((f"{seat}:{word} {rest}", end) for rest, end in following)


def played(match: Match, depth: int) -> Iterator[tuple[str, Cards]]:
    """The same by the rule book."""
    deal = match.deal
    if not depth or match.finished_deals:
        deal = match.finished_deals[0] if match.finished_deals else deal
        yield "", [format_cards(hand).split() for hand in (*deal.hands, view_to_act(match).table)]
        return
    for action in deal.legal_actions.actions:
        twin = match.copy()
        twin.apply(action)
        told = f"{match.seat_to_act}:{match.text(action)} "
        yield from ((told + rest, end) for rest, end in played(twin, depth - 1))


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_lives_agrees_with_an_independent_count(players: int, depth: int) -> None:
    match = variant("lives").match(players, "naive")
    opening = match.deal.opening
    cards = [format_cards(hand).split() for hand in (*match.deal.hands, view_to_act(match).table)]
    expected = {told: end[:-1] for told, end in naive(cards, list(opening.order) * 2, depth)}
    ends = {told: end[:-1] for told, end in played(match, depth)}
    assert ends == expected
    if players > depth:
        assert perft(match, depth) == len(expected)
