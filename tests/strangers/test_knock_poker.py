"""The clauses of Knock Poker, a game in a single file of the examples, and its samples.

Source of the clauses: the game's own page.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from arena import play_match, variant
from arena.games import Match
from arena.games.action import format_cards
from arena.play.game_conformance import check_game
from arena.plugins.bot_spec import parse_bot
from arena.plugins.games import load_game
from tests.games.support.scripted_deal import ScriptedDeal
from tests.strangers.loading import forget_games

EXAMPLES: Final = Path(__file__).parents[2] / "examples/games"
HANDS: Final = ("KS KD 2C 5H 7H", "AH 9D 4C 3S 2H")
"""A pair and an ace high."""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> Iterator[None]:
    with forget_games():
        load_game(str(EXAMPLES / "knock_poker.py"))
        yield


def dealt(*hands: str, table: str = "9C", stock: str = "JC TC QC", **options: Any) -> ScriptedDeal:
    """A deal by seat 0, so that seat 1 begins."""
    return ScriptedDeal("knock-poker", hands or HANDS, table, stock=stock, **options)


def test_a_turn_is_a_card_taken_or_drawn_and_a_discard() -> None:
    table = dealt().play("1:take 9C", "1:discard 2H")
    assert format_cards(table.deal.hands[1]) == "AH 9D 4C 3S 9C"
    assert (format_cards(table.view.table), table.view.known[1]) == ("2H", table.rules.whole_pack.parse("9C"))
    table.play("0:draw", "0:discard JC")
    assert table.deal.view(0).events[-2:] == ("0:draw", "0:discard JC")
    assert [format_cards(event.cards) for event in table.deal.view(1).past][-2:] == ["??", "JC"]


def test_from_the_second_turn_on_one_may_knock_and_the_others_have_one_more_turn() -> None:
    table = dealt().play("1:draw", "1:discard JC", "0:draw", "0:discard TC")
    assert [table.view.text(action) for action in table.view.legal] == ["take TC", "draw", "knock"]
    table.play("1:knock")
    assert [table.view.text(action) for action in table.view.legal] == ["take TC", "draw"]
    table.play("0:draw", "0:discard QC")
    assert table.deal.changes is not None
    assert table.deal.changes.chips == (2, -2)  # a knocker who is beaten pays two


def test_the_best_hand_wins_a_chip_from_each_other_player_and_equal_ones_share() -> None:
    hands = ("AS KD 9C 5H 7H", "AH KS 9D 5S 7C", "QH 9S 4C 3S 2H")
    table = dealt(*hands, table="2C", stock="2D", turns=2)
    for seat in (1, 2, 0, 1, 2, 0):
        table.play(f"{seat}:take {format_cards(table.view.table)}")
        table.play(f"{seat}:discard {format_cards(table.view.hand[-1:])}")
    assert table.deal.changes is not None
    assert table.deal.changes.chips == (0, 1, -1)  # seat 1 is first from the dealer's left


def test_it_passes_the_check() -> None:
    findings = check_game(variant("knock-poker"), matches=3, uniformity_tests=0, fresh_process=False)
    assert (findings.issues, findings.notes) == ((), ())


def test_a_world_is_found_for_every_view_until_the_deal_is_over() -> None:
    """Discards must have been in the hands: a deal of unseen cards at random has them there almost never."""
    match, rng = variant("knock-poker").match(players=4, seed="worlds"), Random(3)
    for _ in range(30):
        play_at_random(match, rng)
    assert not match.finished_deals
    for seat in range(4):
        view = match.view(seat)
        for world in view.samples(rng, 2):
            again = world.view(seat)
            assert (again.events, again.hand, again.table) == (view.events, view.hand, view.table)


def play_at_random(match: Match, rng: Random) -> None:
    """Do a random action that does not end the deal."""
    actions = match.deal.legal_actions.actions
    match.apply(rng.choice([action for action in actions if action.kind != "knock"]))


def test_the_bot_beats_random_without_a_fault() -> None:
    bots = [
        parse_bot(name, Path()).source.load() for name in (str(EXAMPLES / "knock_poker_bot.py"), "random")
    ]
    records = [play_match(variant("knock-poker"), bots, seed=f"careful {number}") for number in range(6)]
    assert [record["faults"] for record in records] == [[]] * 6
    assert sum([record["payoffs"][0] for record in records]) > 0
