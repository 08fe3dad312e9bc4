"""The play of `expert` in the cambio family: beliefs, gains of actions, and the games it serves."""

from random import Random
from statistics import fmean

import msgspec
import pytest

from arena.families.cambio.actions import CAMBIO, DISCARD, DRAW_DISCARD, DRAW_STOCK
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.view import CambioView
from arena.games import Match, Rules, variant
from arena.games.cards import HIDDEN
from arena.play import Info
from bots.cambio import CambioBeliefs, CambioDecision, CambioPlayer, is_served, make_player
from bots.expert import Expert
from tests.bots.test_all_options import combine_options, find_faults

CAMBIO_GAME = variant("cambio")
CABO, GOLF, RAT = GAMES = tuple(map(variant, ("cabo", "golf-four", "rat-a-tat")))


def make_info(rules: Rules, players: int) -> Info:
    return Info.of(rules, seat=0, players=players, key="any")


def make_decision(match: Match, seat: int | None = None) -> CambioDecision:
    view = match.view(match.seat_to_act or 0 if seat is None else seat)
    player = CambioPlayer(match.rules)
    assert isinstance(view, CambioView)
    assert isinstance(player.rules, CambioRules)
    return CambioDecision(player.rules, player.constants, player.counts, view)


def play(match: Match, *texts: str) -> None:
    """Play actions in notation."""
    for text in texts:
        match.apply(match.view(match.seat_to_act or 0).parse(text))


@pytest.mark.parametrize(
    ("rules", "players"),
    [*[(game, 3) for game in GAMES], *[(CAMBIO_GAME, players) for players in range(2, 9)]],
    ids=str,
)
def test_it_plays_without_a_fault_under_every_option(rules: Rules, players: int) -> None:
    own = {"snap": False, "scoring": "sum"} if rules is CAMBIO_GAME else {}
    for combined in combine_options(rules):
        overrides = combined.overrides | own
        served = rules.with_options(overrides | ({"scoring": "sum"} if "scoring" in overrides else {}))
        assert is_served(served)
        if players in served.players:
            assert find_faults(served, players, f"cambio/{players}", [Expert, Expert]) == []


@pytest.mark.parametrize(
    ("rules", "players"), [(CAMBIO_GAME, 2), (CAMBIO_GAME, 4), (GOLF, 2), (RAT, 3)], ids=str
)
def test_it_knows_no_more_than_its_view(rules: Rules, players: int) -> None:
    """In another deal with the same view it decides the same."""
    player, match, rng = make_player(make_info(rules, players)), rules.match(players, "hidden"), Random(1)
    while match.seat_to_act is not None:
        view = match.view(match.seat_to_act)
        chosen = player.act(view)
        assert player.act(view.sample(rng).view(view.seat)) is chosen
        match.apply(chosen)


@pytest.mark.parametrize("rules", [CAMBIO_GAME, *GAMES], ids=str)
def test_it_serves_the_cambio_family_alone(rules: Rules) -> None:
    assert is_served(rules)
    assert not is_served(variant("cox"))
    info = make_info(rules, 3)
    expert, match = Expert(info), rules.match(3, "serves")
    for _ in range(30):
        view = match.view(match.seat_to_act or 0)
        action = make_player(info).act(view)
        assert expert.act(view) is action
        match.apply(action)


def test_the_setting_constants_replaces_those_of_a_game() -> None:
    fitted = Expert.find_constants(CABO, 2)
    assert Expert.find_constants(variant("cox"), 2) == {}
    info = msgspec.structs.replace(make_info(CABO, 2), settings={"constants": {**fitted, "call": 100.0}})
    match = CABO.match(2, "constants")
    assert Expert(info).act(match.view(match.seat_to_act or 0)) is CAMBIO


def test_a_card_that_is_laid_bounds_those_that_its_owner_keeps() -> None:
    """The first seat puts a drawn card in the place of one that it knows: those it keeps are no higher."""
    match = CAMBIO_GAME.match(2, "bounds")
    play(match, "draw stock", "place 1")
    view = match.view(1 - (match.seat_to_act or 0))
    seat = 1 - view.seat
    view = match.view(seat)
    assert isinstance(view, CambioView)
    counts = CambioPlayer(CAMBIO_GAME).counts
    beliefs = CambioBeliefs(view, counts, fresh=5, given=1)
    laid = counts[view.discard[-1]]
    drawn, kept, *unknown = beliefs.hands[1 - seat]
    assert drawn.bound == kept.bound == laid
    assert beliefs.expect(1 - seat)[0] <= max(laid, beliefs.points[0])
    assert [beliefs.estimate(card) for card in unknown] == [beliefs.average] * 2


def test_cards_take_what_is_known_of_them_along_in_a_swap() -> None:
    for number in range(200):
        match = CAMBIO_GAME.match(2, f"swap/{number}")
        play(match, "draw stock")
        if str(match.view(match.seat_to_act or 0).drawn)[0] in "JQ":  # type: ignore[attr-defined]
            break
    seat = match.seat_to_act or 0
    play(match, "discard", f"swap {seat}:3 {1 - seat}:1")
    view = match.view(1 - seat)
    assert isinstance(view, CambioView)
    beliefs = CambioBeliefs(view, CambioPlayer(CAMBIO_GAME).counts, fresh=5, given=1)
    assert beliefs.expect(1 - seat)[0] == beliefs.average + 1
    assert view.known[seat][2] is not HIDDEN


def test_a_draw_is_worth_more_where_the_hand_is_worse() -> None:
    gains = []
    for number in range(30):
        decision = make_decision(CAMBIO_GAME.match(2, f"draws/{number}"))
        gains.append((max(decision.own), decision.gain(DRAW_STOCK), decision.gain(DRAW_DISCARD)))
    gains.sort()
    assert gains[0][1] < gains[-1][1]
    assert all(stock > 0 for _, stock, _ in gains)


def test_in_the_last_turn_only_points_count() -> None:
    match = CAMBIO_GAME.match(2, "last")
    play(match, "cambio", "draw stock")
    decision = make_decision(match)
    assert decision.knowledge == decision.spying == 0
    drawn = decision.view.drawn
    assert drawn is not None
    saved = [own - decision.counts[drawn] for own in decision.own]
    assert [decision.gain(action) for action in decision.view.legal if action is not DISCARD] == saved


def test_it_calls_with_a_low_hand_and_not_with_a_high_one() -> None:
    called: list[float] = []
    played: list[float] = []
    for number in range(200):
        decision = make_decision(CAMBIO_GAME.match(2, f"calls/{number}"))
        is_call = decision.gain(CAMBIO) > decision.other_gain
        (called if is_call else played).append(sum(decision.own))
    assert called
    assert fmean(called) < fmean(played) - 3


def find_view(rules: Rules, seed: str, hand: list[str], drawn: str) -> tuple[Match, CambioView]:
    """Return a deal in which the first seat has drawn a card from the stock, with other cards written in."""
    match = rules.match(2, seed)
    play(match, "draw stock")
    view = match.view(match.seat_to_act or 0)
    assert isinstance(view, CambioView)
    cards = {card.text: card for card in rules.whole_pack.cards}
    held = tuple([cards.get(text, HIDDEN) for text in hand])
    known = tuple([held if seat == view.seat else other for seat, other in enumerate(view.known)])
    return match, msgspec.structs.replace(view, hand=held, known=known, drawn=cards[drawn])


@pytest.mark.parametrize(
    ("rules", "hand", "drawn", "best"),
    [
        (CABO, ["6a", "6b", "??", "1a"], "5a", "place 1,2"),  # equal cards together
        (CABO, ["6a", "2b", "??", "1a"], "12a", "discard"),
        (GOLF, ["9S", "2H", "??", "??"], "9H", "place 3"),  # the other card of its column
        (GOLF, ["9S", "2H", "9H", "??"], "3H", "place 4"),  # not a card that cancels another
        (RAT, ["0a", "1a", "??", "0b"], "Da", "discard"),  # a card that counts nothing is exchanged
        (RAT, ["9a", "9b", "9c", "9d"], "0a", "place 1"),
    ],
)  # fmt: skip
def test_it_uses_what_is_special_in_each_game(rules: Rules, hand: list[str], drawn: str, best: str) -> None:
    match, view = find_view(rules, "special", hand, drawn)
    assert CambioPlayer(rules).act(view) is match.view(view.seat).parse(best)


def test_beliefs_follow_cards_that_are_replaced_together_or_added() -> None:
    """Hands that shrink and grow have as many believed cards as they have."""
    sizes, rng = set(), Random(3)
    for number in range(60):
        match = CABO.match(3, f"sizes/{number}")
        while not match.finished_deals:
            view = match.view(match.seat_to_act or 0)
            assert isinstance(view, CambioView)
            beliefs = CambioBeliefs(view, CambioPlayer(CABO).counts, fresh=5, given=1)
            assert list(map(len, beliefs.hands)) == list(map(len, view.known))
            sizes |= set(map(len, beliefs.hands))
            match.apply(rng.choice([action for action in view.legal if action is not CAMBIO]))
    assert sizes >= {3, 4, 5}
