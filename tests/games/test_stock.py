"""Shuffles depend on seed and number alone, are fair, and can be decided from outside."""

import pickle
from collections import Counter
from itertools import pairwise, permutations
from random import Random

import pytest
from scipy.special import chdtr, chdtrc

from arena.errors import InvalidRules, RecordError
from arena.games import Match, Rules, variant
from arena.games.action import format_cards
from arena.games.cards import PACKS, Hand
from arena.games.stock import (
    DecidedShuffler,
    RecordedStock,
    Shuffler,
    Stock,
    UndecidedCards,
    UndecidedNumber,
    UndecidedStock,
)
from tests.games.support.random_play import random_action, view_to_act

PACK = PACKS[52].cards
DEAL = b"deal 0"


def shuffled(seed: str, cards: Hand = PACK, what: bytes = DEAL) -> Stock:
    return Stock(cards, True, Shuffler(seed), what)


def hand(text: str) -> Hand:
    return PACKS[52].parse(text)


# --- the same cards again ---


def test_the_same_seed_gives_the_same_cards_and_all_of_them() -> None:
    cards = shuffled("any text").deal(52)
    assert cards == shuffled("any text").deal(52)
    assert sorted(cards, key=str) == sorted(PACK, key=str)


def test_another_seed_or_another_deal_gives_others() -> None:
    """`1` and deal 11 must not be `11` and deal 1."""
    orders = {
        shuffled(seed, what=what).deal(52)
        for seed in ("", "1", "11", "x", "x ", "é", "deal 0")
        for what in (b"deal 0", b"deal 1", b"deal 11", b"deal 1/refill/1")
    }
    assert len(orders) == 28


def test_how_many_are_dealt_at_a_time_changes_nothing() -> None:
    whole = shuffled("x").deal(52)
    for step in (1, 3, 7, 51):
        stock = shuffled("x")
        dealt = [stock.deal(min(step, stock.left)) for _ in range(-(-52 // step))]
        assert sum(dealt, ()) == whole
    drawn = shuffled("x")
    assert tuple([drawn.draw() for _ in range(52)]) == whole


def test_a_shuffled_stock_counts_what_is_left_and_keeps_what_was_drawn() -> None:
    stock = shuffled("x")
    stock.deal(10)
    assert (stock.left, stock.drawn) == (42, [])
    top = stock.draw()
    assert (stock.left, stock.drawn) == (41, [top])


def test_not_shuffled_the_cards_come_as_they_lie() -> None:
    stock = Stock(hand("AS KS QS"), False, Shuffler(""), b"")
    assert stock.deal(1) == hand("AS")
    assert stock.draw() is hand("KS")[0]


def test_cards_put_under_come_last_and_in_that_order() -> None:
    stock = shuffled("x", hand("AS KS QS"))
    stock.put_under(hand("2H 3H"))
    assert stock.left == 5
    cards = [str(stock.draw()) for _ in range(5)]
    assert sorted(cards[:3]) == ["AS", "KS", "QS"]
    assert cards[3:] == ["2H", "3H"]


def test_a_refill_is_shuffled_anew_each_time_and_goes_under() -> None:
    stock = shuffled("x", hand("AS"))
    rounds = []
    stock.refill(PACK[:20])
    stock.refill(PACK[:20])
    assert stock.draw() is hand("AS")[0]
    for _ in range(2):
        rounds.append(tuple([stock.draw() for _ in range(20)]))
    assert rounds[0] != rounds[1]
    assert {*rounds[0]} == {*rounds[1]} == {*PACK[:20]}
    again = shuffled("x", hand("AS"))
    again.refill(PACK[:20])
    assert (again.draw(), *[again.draw() for _ in range(20)]) == (hand("AS")[0], *rounds[0])


def test_a_copy_gives_the_same_and_goes_its_own_way() -> None:
    stock = shuffled("x")
    stock.deal(5)
    stock.put_under(hand("2H"))
    twin = stock.copy()
    cards = [twin.draw() for _ in range(twin.left)]
    assert stock.left == 48
    assert (stock.drawn, twin.drawn) == ([], cards)
    assert [stock.draw() for _ in range(48)] == cards


def test_a_settled_stock_gives_from_both_ends() -> None:
    stock = shuffled("x", PACK[:10])
    stock.deal(2)
    rest = stock.shuffle_rest()
    assert (len(rest), stock.left) == (8, 8)
    assert stock.draw() is rest[0]
    assert stock.draw_bottom() is rest[-1]
    assert [stock.draw() for _ in range(stock.left)] == list(rest[1:-1])


def test_stocks_of_one_shuffle_share_its_order_and_nothing_else() -> None:
    shuffler, whole = Shuffler("x"), shuffled("x").deal(52)
    first, second = shuffler.shuffle(PACK, DEAL), shuffler.shuffle(PACK, DEAL)
    hands, table = first.deal_hands(3, 5, 2, (0, 2))
    assert (first.draw(), second.deal(18)) == (whole[17], whole[:18])
    assert (hands, table) == ([whole[:5], (), whole[10:15]], whole[15:17])
    assert second.copy().deal_hands(3, 5, 2, (0, 1, 2))[0] == [whole[18:23], whole[23:28], whole[28:33]]
    third = shuffler.shuffle(PACK, DEAL)
    assert third.deal_hands(3, 5, 2, (0, 1, 2))[0][1] == whole[5:10]
    assert third.deal_hands(4, 0, 1, (0, 1, 2, 3)) == ([()] * 4, whole[17:18])
    assert (first.left, second.left, third.left) == (52 - 18 + 5, 52 - 18, 52 - 18)
    assert (first.drawn, second.drawn) == ([whole[17]], [])


def test_an_address_used_for_other_cards_gives_other_cards() -> None:
    shuffler = Shuffler("x")
    assert {*shuffler.shuffle(PACK, DEAL).deal(52)} == {*PACK}
    assert {*shuffler.shuffle(PACK[:20], DEAL).deal(20)} == {*PACK[:20]}


def test_an_unpickled_stock_gives_the_same_cards() -> None:
    stock = shuffled("x")
    stock.deal(5)
    again = pickle.loads(pickle.dumps(stock))
    assert again.deal(47) == stock.deal(47)


# --- fair shuffles ---


def p_value(counts: list[int]) -> float:
    """Return the p-value of a chi-square test of equal counts."""
    expected = sum(counts) / len(counts)
    return float(chdtrc(len(counts) - 1, sum((count - expected) ** 2 / expected for count in counts)))


def test_every_order_of_four_cards_is_as_likely() -> None:
    cards = hand("AS KS QS JS")
    orders = Counter(shuffled(f"fair {seed}", cards).deal(4) for seed in range(4800))
    assert p_value([orders[order] for order in permutations(cards)]) > 0.001


@pytest.mark.parametrize("size", [52, 40, 32, 12, 8])
def test_every_card_is_as_likely_at_every_place(size: int) -> None:
    cards = PACKS[size].cards
    counts = Counter(
        (place, card)
        for seed in range(1000)
        for place, card in enumerate(shuffled(f"p {seed}", cards).deal(size))
    )
    table = [counts[place, card] for place in range(size) for card in cards]
    chi = sum((observed - 1000 / size) ** 2 / (1000 / size) for observed in table)
    assert 0.001 < chdtr((size - 1) ** 2, chi) < 0.999


def test_every_card_is_as_likely_to_follow_every_other() -> None:
    followed = Counter[int]()
    for seed in range(1000):
        places = [PACK.index(card) for card in shuffled(f"f {seed}").deal(52)]
        followed.update((after - before) % 52 for before, after in pairwise(places))
    assert p_value([followed[step] for step in range(1, 52)]) > 0.001


def test_numbers_are_as_likely_to_be_odd_as_even_and_never_repeat() -> None:
    shuffler = Shuffler("numbers")
    numbers = [shuffler.random_int(b"%d" % place) for place in range(2000)]
    assert len(set(numbers)) == 2000
    for modulus in (2, 3, 7, 16):
        assert (
            p_value([sum(number % modulus == rest for number in numbers) for rest in range(modulus)]) > 0.001
        )


# --- stocks that a record tells ---


def test_a_recorded_stock_gives_what_is_told() -> None:
    stock = RecordedStock(hand("AS KS QS JS"), hand("QS AS"))
    assert [str(stock.draw()), str(stock.draw())] == ["QS", "AS"]
    assert (stock.left, stock.drawn) == (2, list(hand("QS AS")))
    with pytest.raises(RecordError, match="fewer cards than come"):
        stock.draw()


def draw_all(stock: Stock) -> str:
    """Draws until nothing is left or something is wrong."""
    return format_cards(tuple([stock.draw() for _ in range(stock.left)]))


def test_a_recorded_stock_gives_no_card_that_cannot_be_there() -> None:
    for coming in ("2H", "AS AS"):
        stock = RecordedStock(hand("AS KS"), hand(coming))
        with pytest.raises(RecordError, match="cannot be the next card of the stock"):
            draw_all(stock)


def test_a_card_put_under_a_recorded_stock_comes_after_all_others() -> None:
    def stock(coming: str) -> RecordedStock:
        made = RecordedStock(hand("AS KS"), hand(coming))
        made.put_under(hand("2H 3H"))
        return made

    told = stock("KS AS 2H 3H")
    assert draw_all(told) == "KS AS 2H 3H"
    for early in ("2H", "KS 2H", "KS AS 3H"):
        wrong = stock(early)
        with pytest.raises(RecordError, match="cannot be the next card"):
            draw_all(wrong)


def test_a_refilled_recorded_stock_gives_the_fresh_cards_in_any_order_but_after_the_old() -> None:
    for coming in ("AS 2H 3H", "AS 3H 2H"):
        stock = RecordedStock(hand("AS"), hand(coming))
        stock.refill(hand("2H 3H"))
        assert stock.left == 3
        assert draw_all(stock) == coming
    stock = RecordedStock(hand("AS"), hand("2H"))
    stock.refill(hand("2H 3H"))
    with pytest.raises(RecordError, match="2H cannot be the next card"):
        stock.draw()


def test_a_copy_of_a_recorded_stock_goes_its_own_way() -> None:
    stock = RecordedStock(hand("AS KS"), hand("AS KS"))
    twin = stock.copy()
    twin.draw()
    assert (stock.left, twin.left) == (2, 1)
    assert draw_all(stock) == "AS KS"


def test_a_recorded_stock_told_whole_must_be_all_that_is_left() -> None:
    assert RecordedStock(hand("AS KS"), hand("KS AS")).shuffle_rest() == hand("KS AS")
    for coming in ("KS", "KS KS", "KS AS 2H"):
        with pytest.raises(RecordError, match="does not name the whole stock"):
            RecordedStock(hand("AS KS"), hand(coming)).shuffle_rest()


# --- stocks whose chances are decided from outside ---

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
