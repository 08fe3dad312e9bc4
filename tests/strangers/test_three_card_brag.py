"""The clauses of three-card Brag, a game in a single file of the examples, and its chips at each action.

Sources: Wikipedia, "Three card brag", copied by fact-index.com (W); github.com/cpuSonicatt/rulebook
(R); "All About Three Card Brag", miserysignals.net (M); frontiergamblers.com (F); Teen Patti by
gametionglobal.com (T); the rulings on the game's own page (page).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from arena import Bot, play_match, variant
from arena.games import Match, View
from arena.games.action import format_cards
from arena.plugins.games import load_game
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
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


def dealt(hands: Sequence[str] = HANDS, **options: Any) -> ScriptedDeal:
    """A deal by seat 0, so that seat 1 begins."""
    return ScriptedDeal("three-card-brag", hands, **options)


test_clauses = scripted_cases(
    """
each action moves the chips it costs
    dealt | -> now chips -1 -1 -1, pool 3
    1:bet 1 -> now chips -1 -2 -1, pool 4
    2:look -> now chips -1 -2 -1, pool 4
    2:raise 4 -> now chips -1 -2 -5, pool 8
    0:bet 2 -> now chips -3 -2 -5, pool 10
    1:raise 3 -> now chips -3 -5 -5, pool 13
    2:bet 6 -> now chips -3 -5 -11, pool 19
    0:look, 0:fold, 1:look -> now chips -3 -5 -11, pool 19
    1:bet 6 -> now chips -3 -11 -11, pool 25
    2:see -> result chips -3 -11 14, pool 0
# W: "Everyone antes"; betting begins at the dealer's left.
everybody pays an ante and the seat left of the dealer begins
    dealt ante=5 | -> now chips -5 -5 -5, pool 15; asked 1
# F: the least and the highest bet are agreed on beforehand; page: limit.
the first bet may be as high as the limit
    dealt limit=3 | -> legal look, bet 1, bet 2, bet 3, fold
# W: a player contributes at least as much as the bet before, whatever was paid earlier; page: limit.
a bet is at least the last one and at most the limit
    dealt | 1:bet 3 -> legal look, bet 3, raise 4, fold
    2:raise 4, 0:bet 4 -> legal look, bet 4, fold
# W: a blind player's costs are half of another's.
who has looked pays twice the bet of a blind player
    dealt | 1:bet 2, 2:look -> legal bet 4, raise 6, raise 8, fold
    2:raise 6 -> legal look, bet 3, raise 4, fold
# M, R: a blind player may look whenever it is its turn; from then on it pays in full.
a player looks in its turn and goes on in it
    dealt | 1:look -> asked 1; legal bet 2, bet 4, bet 6, bet 8, fold
    1:bet 2, 2:bet 1, 0:bet 1 -> may not look
a blind hand is hidden from its holder until it looks
    dealt | -> view hand 0 1 2: ?? ?? ??
    1:look -> view hand 0 2: ?? ?? ??; view hand 1: AH 9D 4C; heard 2: 1:look
# R: folded cards are not revealed.
who folds is out and shows nothing
    dealt | 1:fold, 2:bet 1, 0:bet 1, 2:see -> chips -2 -1 3; shown 0: KS KD 2C / ?? ?? ?? / 5S 6S 7S
# Page: a blind player takes the pot, too; W, M: it stays for the next deal, with the blind hand.
the last player takes the pot and shows nothing
    dealt | 1:bet 4, 2:fold, 0:fold -> result chips -1 2 -1, pool 0
    -> shown 0 1 2: ?? ?? ?? / ?? ?? ?? / ?? ?? ??
the antes are won without a bet
    dealt | 1:fold, 2:fold -> chips 2 -1 -1
# W: when two are left, either may double the previous bet to see.
only two players can see and only after a bet
    dealt | -> may not see
    1:bet 1 -> may not see
    2:fold -> may see
    dealt | 1:fold -> may not see
# W, R: double the bet; M: of two blind players double the blind bet; page: of a blind one always.
to see costs twice a bet
    dealt | AH 9D 4C / KS KD 2C | 1:bet 2, 0:see -> chips -5 5
    dealt | AH 9D 4C / KS KD 2C | 1:look, 1:bet 4, 0:look, 0:see -> chips -9 9
    dealt | AH 9D 4C / KS KD 2C | 1:look, 1:bet 4, 0:see -> chips -5 5
# W, R: an open player may not see a blind one.
who has looked cannot see a blind player
    dealt | KS KD 2C / AH 9D 4C | 1:bet 1, 0:look -> may not see
    0:bet 2 -> may see
# W, R: in a tie the player who is seeing loses.
of equal hands the one that was seen wins
    dealt | KS 9D 2C / KH 9S 2D | 1:bet 1, 0:see -> chips -3 3
# T: at the pot limit all who are left show their cards.
at the limit of the pot all hands are shown
    dealt pot_limit=9 | 1:bet 2, 2:bet 2, 0:bet 2 -> chips -3 -3 6
    -> shown 0: KS KD 2C / AH 9D 4C / 5S 6S 7S
# Page: odd chips go to the seat nearest to the dealer's left.
equal hands share the pot at its limit
    dealt pot_limit=9 | KS 9D 2C / KH 9S 2D / QH 9C 2S | 1:bet 2, 2:bet 2, 0:bet 2 -> chips 1 2 -3
""",
    dealt=dealt,
)
# W: prial (threes best), running flush (A-2-3 best), run, flush, pair, high card.
test_the_ranking_of_hands = hand_cases("""
each category and the order within it
    three-card-brag | 3S 3D 3C > AS AD AC; 2S 2D 2C > AS 2H 3H; AH 2H 3H > AS KS QS; 4S 3S 2S > AH 2D 3C
    three-card-brag | AH 2D 3C > AS KD QC; 4S 3D 2C > AH KH JH; 2H 3H 5H > AS AD KC; 2H 2D 3C > AS KD JC
""")


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
