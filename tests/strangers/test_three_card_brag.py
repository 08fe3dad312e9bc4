"""The clauses of three-card Brag, a game in a single file of the examples, and its chips at each action.

Sources: Wikipedia, "Three card brag", copied by fact-index.com (W); github.com/cpuSonicatt/rulebook
(R); "All About Three Card Brag", miserysignals.net (M); frontiergamblers.com (F); Teen Patti by
gametionglobal.com (T); the rulings on the game's own page (page).
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from arena import Bot, play_match, variant
from arena.games import Match, View
from arena.games.action import format_cards
from arena.plugins.games import load_game
from tests.games.support.scripted_deal import ScriptedDeal
from tests.strangers.loading import forget_games

GAME: Final = Path(__file__).parents[2] / "examples/games/three_card_brag.py"
HANDS: Final = ("KS KD 2C", "AH 9D 4C", "5S 6S 7S")
"""A pair, an ace high and a running flush."""
UNKNOWN: Final = "?? ?? ??"


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> Iterator[None]:
    with forget_games():
        load_game(str(GAME))
        yield


def dealt(*hands: str, **options: Any) -> ScriptedDeal:
    """A deal by seat 0, so that seat 1 begins."""
    return ScriptedDeal("three-card-brag", hands or HANDS, **options)


def held(table: ScriptedDeal) -> tuple[tuple[int, ...], int]:
    """Return the chips of each seat now, and those in the pot."""
    holdings = table.deal.holdings
    assert holdings.chips is not None
    assert holdings.pool is not None
    return holdings.chips, holdings.pool


def test_each_action_moves_the_chips_it_costs() -> None:
    table = dealt()
    steps = [
        ("1:bet 1", (-1, -2, -1), 4),
        ("2:look", (-1, -2, -1), 4),
        ("2:raise 4", (-1, -2, -5), 8),
        ("0:bet 2", (-3, -2, -5), 10),
        ("1:raise 3", (-3, -5, -5), 13),
        ("2:bet 6", (-3, -5, -11), 19),
        ("0:look", (-3, -5, -11), 19),
        ("0:fold", (-3, -5, -11), 19),
        ("1:look", (-3, -5, -11), 19),
        ("1:bet 6", (-3, -11, -11), 25),
    ]
    assert held(table) == ((-1, -1, -1), 3)
    for step, chips, pot in steps:
        assert held(table.play(step)) == (chips, pot), step
    assert table.play("2:see").result == {"chips": [-3, -11, 14], "pool": 0}


def test_everybody_pays_an_ante_and_the_seat_left_of_the_dealer_begins() -> None:
    """W: "Everyone antes"; betting begins at the dealer's left."""
    table = dealt(ante=5)
    assert held(table) == ((-5, -5, -5), 15)
    assert table.asked == 1


def test_the_first_bet_may_be_as_high_as_the_limit() -> None:
    """F: the least and the highest bet are agreed on beforehand; page: limit."""
    assert dealt(limit=3).legal == ["look", "bet 1", "bet 2", "bet 3", "fold"]


def test_a_bet_is_at_least_the_last_one_and_at_most_the_limit() -> None:
    """W: a player contributes at least as much as the bet before, whatever was paid earlier; page: limit."""
    table = dealt().play("1:bet 3")
    assert table.legal == ["look", "bet 3", "raise 4", "fold"]
    assert table.play("2:raise 4", "0:bet 4").legal == ["look", "bet 4", "fold"]


def test_who_has_looked_pays_twice_the_bet_of_a_blind_player() -> None:
    """W: a blind player's costs are half of another's."""
    table = dealt().play("1:bet 2", "2:look")
    assert table.legal == ["bet 4", "raise 6", "raise 8", "fold"]
    assert table.play("2:raise 6").legal == ["look", "bet 3", "raise 4", "fold"]


def test_a_player_looks_in_its_turn_and_goes_on_in_it() -> None:
    """M, R: a blind player may look whenever it is its turn; from then on it pays in full."""
    table = dealt().play("1:look")
    assert table.asked == 1
    assert table.legal == ["bet 2", "bet 4", "bet 6", "bet 8", "fold"]
    assert "look" not in table.play("1:bet 2", "2:bet 1", "0:bet 1").legal


def test_a_blind_hand_is_hidden_from_its_holder_until_it_looks() -> None:
    table = dealt()
    assert [format_cards(table.deal.view(seat).hand) for seat in range(3)] == [UNKNOWN] * 3
    table.play("1:look")
    assert [format_cards(table.deal.view(seat).hand) for seat in range(3)] == [UNKNOWN, HANDS[1], UNKNOWN]
    assert table.deal.view(2).events == ("1:look",)


def test_who_folds_is_out_and_shows_nothing() -> None:
    """R: folded cards are not revealed."""
    table = dealt().play("1:fold", "2:bet 1", "0:bet 1", "2:see")
    assert table.result["chips"] == [-2, -1, 3]
    assert table.deal.shown == (2, 0)
    assert [table.deal.format_seen_hand(seat, 0) for seat in range(3)] == [HANDS[0], UNKNOWN, HANDS[2]]


def test_the_last_player_takes_the_pot_and_shows_nothing() -> None:
    """Page: a blind player takes the pot, too; W, M: it stays for the next deal, with the blind hand."""
    table = dealt().play("1:bet 4", "2:fold", "0:fold")
    assert table.result == {"chips": [-1, 2, -1], "pool": 0}
    assert table.deal.shown == ()
    assert [table.deal.format_seen_hand(seat, 1) for seat in range(3)] == [UNKNOWN] * 3


def test_the_antes_are_won_without_a_bet() -> None:
    assert dealt().play("1:fold", "2:fold").result["chips"] == [2, -1, -1]


def test_only_two_players_can_see_and_only_after_a_bet() -> None:
    """W: when two are left, either may double the previous bet to see."""
    table = dealt()
    assert "see" not in table.kinds
    assert "see" not in table.play("1:bet 1").kinds
    assert "see" not in dealt().play("1:fold").kinds
    assert "see" in table.play("2:fold").kinds


@pytest.mark.parametrize(
    ("before", "costs"),
    [
        (("1:bet 2",), 4),
        (("1:look", "1:bet 4", "0:look"), 8),
        (("1:look", "1:bet 4"), 4),
    ],
)
def test_to_see_costs_twice_a_bet(before: tuple[str, ...], costs: int) -> None:
    """W, R: double the bet; M: of two blind players double the blind bet; page: of a blind one always."""
    table = dealt(HANDS[1], HANDS[0]).play(*before, "0:see")
    assert table.result["chips"] == [-1 - costs, 1 + costs]


def test_who_has_looked_cannot_see_a_blind_player() -> None:
    """W, R: an open player may not see a blind one."""
    table = dealt(*HANDS[:2]).play("1:bet 1", "0:look")
    assert "see" not in table.kinds
    assert "see" in table.play("0:bet 2").kinds


def test_of_equal_hands_the_one_that_was_seen_wins() -> None:
    """W, R: in a tie the player who is seeing loses."""
    table = dealt("KS 9D 2C", "KH 9S 2D").play("1:bet 1", "0:see")
    assert table.result["chips"] == [-3, 3]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("3S 3D 3C", "AS AD AC"),
        ("2S 2D 2C", "AS 2H 3H"),
        ("AH 2H 3H", "AS KS QS"),
        ("4S 3S 2S", "AH 2D 3C"),
        ("AH 2D 3C", "AS KD QC"),
        ("4S 3D 2C", "AH KH JH"),
        ("2H 3H 5H", "AS AD KC"),
        ("2H 2D 3C", "AS KD JC"),
    ],
)
def test_the_ranking_of_hands(better: str, worse: str) -> None:
    """W: prial (threes best), running flush (A-2-3 best), run, flush, pair, high card."""
    rank = variant("three-card-brag").rank
    assert rank(better) > rank(worse)


def test_at_the_limit_of_the_pot_all_hands_are_shown() -> None:
    """T: at the pot limit all who are left show their cards."""
    table = dealt(pot_limit=9).play("1:bet 2", "2:bet 2", "0:bet 2")
    assert table.result["chips"] == [-3, -3, 6]
    assert table.deal.shown == (1, 2, 0)


def test_equal_hands_share_the_pot_at_its_limit() -> None:
    """Page: odd chips go to the seat nearest to the dealer's left."""
    table = dealt("KS 9D 2C", "KH 9S 2D", "QH 9C 2S", pot_limit=9).play("1:bet 2", "2:bet 2", "0:bet 2")
    assert table.result["chips"] == [1, 2, -3]


def test_a_deal_of_bets_alone_ends_and_the_chips_add_up() -> None:
    match = variant("three-card-brag", deals=1).match(players=8, seed="bets")
    bets = 0
    while not match.is_over:
        match.apply(
            next(action for action in match.view(match.seat_to_act or 0).legal if action.kind == "bet")
        )
        bets += 1
    assert bets == 60 - 8
    assert sum(match.payoffs) == 0


def test_a_match_has_as_many_deals_as_the_option_says() -> None:
    match = variant("three-card-brag", deals=3).match(players=2, seed="folds")
    for _ in range(3):
        match.apply(match.parse("fold"))
    assert match.is_over
    assert match.payoffs in ((1, -1), (-1, 1))


def test_samples_of_a_blind_player_deal_its_own_hand_too() -> None:
    table = dealt().play("1:look", "1:bet 2")
    blind, looked = table.deal.view(0), table.deal.view(1)
    own = {format_cards(world.deal.hands[0]) for world in blind.samples(Random(1), 20)}
    assert len(own) > 10
    for world in looked.samples(Random(1), 5):
        assert format_cards(world.deal.hands[1]) == HANDS[1]
        assert world.seat_to_act == 2


def test_bots_learn_no_hand_that_nobody_has_seen() -> None:
    hands: list[list[str]] = []

    class Blind(Bot):
        def act(self, view: View) -> str:
            assert format_cards(view.hand) == UNKNOWN
            return view.text(view.legal[-1])

        def deal_over(self, result: dict[str, Any]) -> None:
            hands.append(result["hands"])

    play_match(variant("three-card-brag", deals=2), [Blind, Blind], seed="blind")
    assert hands == [[UNKNOWN, UNKNOWN]] * 4


def test_no_chip_is_lost_between_the_seats_and_the_pot() -> None:
    rng = Random(7)
    for number in range(20):
        match: Match = variant("three-card-brag").match(players=rng.choice(range(2, 9)), seed=str(number))
        while not match.is_over:
            holdings = match.deal.holdings
            assert holdings.pool is not None
            assert sum(holdings.chips or ()) + holdings.pool == 0
            match.apply(rng.choice(match.deal.legal_actions.actions))
        assert sum(match.payoffs) == 0
