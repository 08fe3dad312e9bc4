"""Matches whose chances are decided from outside: what is asked, and that the rules go the same way."""

import pickle
from collections import Counter
from random import Random

import pytest

from arena.errors import InvalidRules, RecordError
from arena.games import Match, Rules, variant
from arena.games.cards import PACKS, Hand
from arena.games.stock import DecidedShuffler, UndecidedCards, UndecidedNumber, UndecidedStock
from tests.games.support.random_play import random_action, view_to_act

CARDS = PACKS[8].cards


def stock(*drawn: str) -> UndecidedStock:
    return UndecidedStock(CARDS, DecidedShuffler((), PACKS[8].parse(" ".join(drawn))))


def test_a_stock_asks_for_the_cards_that_are_not_decided() -> None:
    with pytest.raises(UndecidedCards) as undecided:
        stock("JS").deal_hands(2, 2, 1, (1, 0))
    assert (undecided.value.cards, undecided.value.count) == (CARDS, 5)


def test_cards_of_seats_that_are_out_are_not_dealt() -> None:
    hands, table = stock("JS", "QS", "KS", "AS", "JH").deal_hands(3, 2, 1, (2, 0))
    assert [str(hand) for hand in hands] == ["(JS, QS)", "()", "(KS, AS)"]
    assert str(table) == "(JH,)"


def test_discards_come_after_the_rest_of_the_pack() -> None:
    pack = stock(*map(str, CARDS), "KS")
    pack.deal_hands(1, 7, 0, (0,))
    pack.refill(CARDS[:3])
    assert [pack.draw(), pack.draw()] == [CARDS[7], CARDS[2]]
    with pytest.raises(UndecidedCards) as undecided:
        pack.draw()
    assert (undecided.value.cards, undecided.value.count) == (CARDS[:2], 1)


def test_a_card_put_under_the_stock_keeps_its_place() -> None:
    pack = stock(*map(str, CARDS))
    pack.deal_hands(1, 7, 0, (0,))
    pack.put_under(CARDS[:1])
    pack.put_under(CARDS[1:2])
    assert pack.draw() is CARDS[7]
    with pytest.raises(UndecidedCards) as undecided:
        pack.draw()
    assert undecided.value.cards == CARDS[:1]


def test_the_whole_rest_can_be_decided_at_once() -> None:
    pack = stock(*map(str, CARDS))
    pack.deal_hands(1, 4, 0, (0,))
    assert pack.shuffle_rest() == CARDS[4:]
    assert (pack.draw(), pack.draw_bottom(), pack.left) == (CARDS[4], CARDS[7], 2)


def test_a_card_that_cannot_come_is_refused() -> None:
    pack = stock("JS", "JS")
    pack.deal_hands(1, 1, 0, (0,))
    with pytest.raises(RecordError, match="JS cannot be the next card"):
        pack.draw()


def test_copies_and_pickles_draw_for_themselves() -> None:
    pack = stock("JS", "QS", "KS")
    pack.deal_hands(1, 1, 0, (0,))
    for twin in (pack.copy(), pickle.loads(pickle.dumps(pack))):
        assert twin.left == 7
    assert str(pickle.loads(pickle.dumps(pack)).draw()) == "QS"
    assert str(pack.draw()) == "QS"


def play(rules: Rules, players: int, numbers: list[int], cards: list[Hand], seed: str) -> Match:
    """Play at random, with every chance decided at random where it is asked for."""
    rng = Random(seed)
    match = Match(rules, players, "", rules.settlement.initial_holdings(players))
    match.shuffler = DecidedShuffler(numbers, [card for drawn in cards for card in drawn])
    match.begin()
    while not match.is_over:
        match.apply(random_action(view_to_act(match), rng))
    return match


@pytest.mark.parametrize(
    ("name", "players"),
    [("lives", 3), ("schwimmen", 4), ("thirty-one", 2), ("trade-and-barter", 3), ("cox", 4)],
)
def test_a_match_asks_until_all_is_decided(name: str, players: int) -> None:
    """Begun again after each decision, it asks for the next one, and never twice for the same."""
    rules, rng = variant(name), Random(name)
    numbers: list[int] = []
    cards: list[Hand] = []
    asked: Counter[str] = Counter()
    while True:
        try:
            match = play(rules, players, numbers, cards, name)
            break
        except UndecidedNumber as undecided:
            asked["number"] += 1
            numbers.append(rng.randrange(undecided.count))
        except UndecidedCards as undecided:
            asked["cards"] += 1
            cards.append(tuple(rng.sample(undecided.cards, undecided.count)))
    assert asked["number"] == (len(match.finished_deals) if rules.roles else 1)
    assert asked["cards"] >= len(match.finished_deals)
    for deal in match.finished_deals:
        left = Counter(rules.whole_pack.cards)
        left.subtract([card for hand in (*deal.dealt, deal.table_dealt) for card in hand])
        assert min(left.values()) == 0


@pytest.mark.parametrize("name", ["cuccu", "lives", "thirty-one", "ready-money", "schwimmen", "cambio"])
def test_small_packs_for_study_are_played_to_the_end(name: str) -> None:
    for seed in range(20):
        rules, rng = variant(name, pack=12), Random(seed)
        match = rules.match(2, str(seed))
        while not match.is_over:
            match.apply(random_action(view_to_act(match), rng))


def test_a_pack_too_small_for_two_is_refused() -> None:
    with pytest.raises(InvalidRules, match="lives: 2 players need 6 cards, the table 3 and the stock 1, the"):
        variant("lives", pack=8)
