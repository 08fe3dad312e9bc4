"""The bot `tuned`: what it computes, and the games it leaves to `counter`."""

import msgspec
import pytest

from arena.families.exchange.actions import Swap
from arena.families.exchange.view import ExchangeView
from arena.games import Match, Rules, variant
from arena.play import Info, play_match
from bots.tuned import (
    CERTAIN,
    CONSTANTS_FILES,
    MAX_SEATS,
    Constants,
    Counter,
    Tuned,
    chances_by_pair,
    chances_by_strength,
    load_constants,
)

LIVES = variant("lives")
NEVER_KNOCKS = Constants(knock=2, rise=0, gain=0, widow=0, unseen=0.8)
ALWAYS_KNOCKS = Constants(knock=0, rise=0, gain=0, widow=0, unseen=0.8)


def bot(constants: Constants | None, players: int = 2, rules: Rules = LIVES) -> Tuned:
    info = Info.of(rules, seat=0, players=players, key="tuned")
    return Tuned(info, dict.fromkeys(range(2, MAX_SEATS + 1), constants) if constants else None)


def act(match: Match, tuned: Tuned) -> str:
    assert match.seat_to_act is not None
    return match.text(tuned.act(match.view(match.seat_to_act)))


@pytest.mark.parametrize("name", CONSTANTS_FILES)
def test_there_are_constants_for_every_number_of_seats_up_to_the_most(name: str) -> None:
    assert sorted(load_constants(name)) == list(range(2, MAX_SEATS + 1))


def test_it_knocks_when_the_chance_is_enough() -> None:
    match = LIVES.match(players=2, seed="tuned")
    assert act(match, bot(ALWAYS_KNOCKS)) == "knock"
    assert act(match, bot(NEVER_KNOCKS)) != "knock"


def test_a_hand_that_a_known_one_cannot_reach_is_certain() -> None:
    """After three exchanges the other hand is known whole; then the chance is 0 or 1 at two seats."""
    certain = beaten = 0
    for seed in range(40):
        match = LIVES.match(players=2, seed=f"known/{seed}")
        other = match.seat_to_act or 0
        for turn in range(6):
            slot = turn // 2
            mover = match.seat_to_act == other
            match.apply(match.view(match.seat_to_act or 0).legal[4 * slot] if mover else match.parse("pass"))
        view, tuned = match.view(1 - other), bot(NEVER_KNOCKS)
        assert view.known[other] == match.deal.hands[other]
        assert isinstance(view, ExchangeView)
        a, b, c = view.hand
        strength = tuned.strengths[a.number][b.number][c.number]
        reachable = max(LIVES.rank_table[hand] for hand in match.view(other).hands_after()[:9])
        reachable = max(reachable, LIVES.rank_table[view.known[other]])
        is_safe = reachable < LIVES.rank_table[view.hand]
        assert tuned.chance_after_knock(view, strength, view.known) == (CERTAIN if is_safe else 0)
        certain, beaten = certain + is_safe, beaten + (not is_safe)
    assert certain
    assert beaten


def test_chances_rise_with_strength_and_seats() -> None:
    two, four = chances_by_strength(LIVES, 2), chances_by_strength(LIVES, 4)
    assert two == sorted(two)
    assert all(few <= many for few, many in zip(two, four, strict=True))
    assert max(two) > 0.99 * CERTAIN


def test_chances_by_pair_are_means_over_the_third_card() -> None:
    pairs, chances, ranks = chances_by_pair(LIVES, 2), chances_by_strength(LIVES, 2), LIVES.strengths
    for a, b in ("AS", "AH"), ("9S", "8S"), ("2C", "7D"):
        cards = {card.text: card for card in LIVES.whole_pack.cards}
        first, second = cards.pop(a).number, cards.pop(b).number
        thirds = [chances[ranks[first][second][card.number]] for card in cards.values()]
        assert len(thirds) == 50
        assert pairs[first][second] == pairs[second][first] == sum(thirds) // 50


def test_a_widow_is_worth_less_by_what_its_cards_make_of_known_ones() -> None:
    """Before the first exchange no card of the other is known, and after it one is."""
    denying = msgspec.structs.replace(NEVER_KNOCKS, deny=0.1)
    match, tuned, pairs = LIVES.match(players=2, seed="deny"), bot(None), chances_by_pair(LIVES, 2)
    for known in 0, 1:
        view = match.view(match.seat_to_act or 0)
        assert isinstance(view, ExchangeView)
        actions = list(view.legal[:10])  # the exchanges and a pass
        plain, less = [
            tuned.evaluate(view, actions, view.known, constants) for constants in (NEVER_KNOCKS, denying)
        ]
        held = [card.number for hand in view.known for card in hand]
        assert len(held) == known
        cards = view.hand + view.widow
        widows = [action.widow_after(cards) if isinstance(action, Swap) else view.widow for action in actions]
        given = [sum(pairs[card.number][other] for card in widow for other in held) for widow in widows]
        assert less == pytest.approx(
            [value - 0.1 * amount for value, amount in zip(plain, given, strict=True)]
        )
        assert (len(set(given)) > 1) == (known > 0)
        match.apply(view.legal[0])


@pytest.mark.parametrize("name", ["pounce", "whisky-poker", "cuccu"])
def test_in_other_games_it_plays_as_counter(name: str) -> None:
    rules = variant(name)
    records = [play_match(rules, [bot_class, "greedy"], seed="same") for bot_class in (Tuned, Counter)]
    assert records[0]["deals"] == records[1]["deals"]
