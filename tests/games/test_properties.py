"""Properties of every variant at every table: a new one is tested as soon as it is registered."""

import pickle
from collections import Counter
from copy import copy, deepcopy
from random import Random
from typing import Any

import msgspec
import pytest

from arena.errors import IllegalAction
from arena.games import VARIANTS, Match, Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card
from arena.games.option_fields import list_options
from tests.games.support.random_play import (
    ALL_TABLES,
    TABLES,
    fingerprint,
    play_out,
    positions,
    random_action,
    table_name,
    unseen_stock,
    view_to_act,
)  # fmt: skip
from tests.games.support.readings import READINGS

every_table = pytest.mark.parametrize(("rules", "players"), TABLES, ids=table_name)
every_variant = pytest.mark.parametrize("rules", VARIANTS, ids=table_name)

PILES = ("widow", "discard", "drawn", "discards", "pile", "sets", "greenbacks")
"""Names in the families of the cards that are in no hand and not in the stock."""


def cards_in(value: Any) -> list[Card]:
    """The cards in a tuple of tuples, however deep."""
    if isinstance(value, Card):
        return [value]
    return [card for inner in value or () for card in cards_in(inner)]


# --- cards ---


@every_table
def test_no_card_is_lost_and_none_stands_twice(rules: Rules, players: int) -> None:
    pack = Counter(rules.whole_pack.cards)
    for match in positions(rules, players):
        deal = match.deal
        stock = [rules.whole_pack.card(text) for text in unseen_stock(deal)]
        piles = cards_in([getattr(deal, name, None) for name in PILES])
        there = Counter([*cards_in(deal.hands), *piles, *stock])
        assert there <= pack
        laid_aside = pack - there
        public = [event.cards for event in deal.view(0).past]
        assert laid_aside <= Counter([*deal.table_dealt, *cards_in(public)])


@every_table
def test_the_same_seed_deals_the_same_cards(rules: Rules, players: int) -> None:
    one, other = rules.match(players, "seed"), rules.match(players, "seed")
    assert fingerprint(one) == fingerprint(other)
    assert unseen_stock(one.deal) == unseen_stock(other.deal)
    strange = rules.match(players, "another seed")
    assert unseen_stock(one.deal) != unseen_stock(strange.deal)


@every_table
def test_how_a_match_went_moves_no_card_of_its_later_deals(rules: Rules, players: int) -> None:
    """Nor does it if somebody is out: what he would have had lies under the stock."""
    one, other = rules.match(players, "seed"), rules.match(players, "seed")
    for match, rng in ((one, Random(1)), (other, Random(2))):
        for _ in play_out(match, rng):
            pass
    for ours, theirs in zip(one.finished_deals, other.finished_deals, strict=False):
        assert ours.table_dealt == theirs.table_dealt
        for seat in set(ours.opening.order) & set(theirs.opening.order):
            assert ours.dealt[seat] == theirs.dealt[seat]


@every_variant
def test_who_is_out_leaves_the_others_cards_where_they_are(rules: Rules) -> None:
    players = min(4, rules.players[-1])
    usual = rules.settlement.initial_holdings(players)
    if usual.tokens is None or players < 3:
        return  # nobody goes out
    out = msgspec.structs.replace(usual, tokens=(*usual.tokens[:2], -1, *usual.tokens[3:]))
    out = msgspec.structs.replace(out, went_out=(None, None, 0, None)[:players])
    for seed in "abcdefgh":
        full, fewer = rules.match(players, seed), rules.match(players, seed, out)
        assert [hand for seat, hand in enumerate(full.deal.dealt) if seat != 2] == [
            hand for seat, hand in enumerate(fewer.deal.dealt) if seat != 2
        ]
        assert fewer.deal.dealt[2] == ()
        assert full.deal.table_dealt == fewer.deal.table_dealt
        drawn = unseen_stock(full.deal)
        assert unseen_stock(fewer.deal)[: len(drawn)] == drawn
        assert set(unseen_stock(fewer.deal)[len(drawn) :]) == {str(card) for card in full.deal.dealt[2]}


# --- actions ---


@every_table
def test_what_is_not_legal_cannot_be_done_and_changes_nothing(rules: Rules, players: int) -> None:
    """The actions of all the other positions are tried."""
    strange = {action for match in positions(rules, players) for action in view_to_act(match).legal}
    for match in positions(rules, players):
        before = fingerprint(match)
        legal = view_to_act(match).legal
        for action in [action for action in strange if action not in legal][:50]:
            with pytest.raises(IllegalAction):
                match.apply(action)
        assert fingerprint(match) == before


@every_table
def test_a_match_that_is_over_asks_nobody(rules: Rules, players: int) -> None:
    match = positions(rules, players)[0].copy()
    last = [action for _ in play_out(match, Random(3)) for action in view_to_act(match).legal][-1]
    assert match.seat_to_act is None
    assert all(match.view(seat).legal == () for seat in range(players))
    with pytest.raises(IllegalAction):
        match.apply(last)
    with pytest.raises(IllegalAction):
        match.parse("pass")


def some(actions: tuple[Action, ...], most: int = 40) -> list[Action]:
    """The actions, or so many of them drawn at random."""
    return list(actions) if len(actions) <= most else Random(len(actions)).sample(actions, most)


# --- notation ---


@every_table
def test_cards_may_be_named_in_any_order(rules: Rules, players: int) -> None:
    rng = Random(5)
    for match in positions(rules, players):
        for action in some(view_to_act(match).legal):
            text = match.text(action)
            assert match.parse(shuffled(text, rng)) is action


def shuffled(text: str, rng: Random) -> str:
    """The same action with its cards in another order."""
    if ">" in text:
        sides = [side.split(",") for side in text.split(">")]
        return ">".join([",".join(rng.sample(cards, len(cards))) for cards in sides])
    verb, *cards = text.split()
    return " ".join([verb, *rng.sample(cards, len(cards))]) if verb == "lay" else text


@every_table
def test_the_star_may_be_spelled_out(rules: Rules, players: int) -> None:
    for match in positions(rules, players):
        view = view_to_act(match)
        single = [action for action in view.legal if len(action.give) == 1]
        ones = {(*action.give, *action.take): view.text(action) for action in single}
        for action in view.legal:
            if ones and view.text(action) == "*":
                pairs = [ones[pair].split(">") for pair in zip(action.give, action.take, strict=True)]
                given, taken = zip(*pairs, strict=True)
                assert match.parse(f"{','.join(given)}>{','.join(taken)}") is action


GIBBERISH = [
    *("", " ", ">", "*>*", "#", "#0>", "4D>", ">9D", "??", "??>??", "%s", "%s>%s", "pass\n", "\0", "\ud800"),
    *("9" * 5000, f"#{'9' * 5000}>9D", "place 99", f"place {'9' * 5000}", "peek 9:9", "peek :", "swap 0:0"),
    *("lay", "lay " + "a1 " * 100, "discard", "discard ??", "trade XX", "give", "draw", "Ｐass", "#１>9D"),
]


@every_table
def test_what_is_no_notation_is_refused_and_nothing_else_happens(rules: Rules, players: int) -> None:
    for match in positions(rules, players):
        before = fingerprint(match)
        legal = {match.text(action) for action in view_to_act(match).legal}
        for text in GIBBERISH:
            if text not in legal:
                with pytest.raises(ValueError):  # noqa: PT011 - InvalidNotation or IllegalAction
                    match.parse(text)
        assert fingerprint(match) == before


# --- values ---


@every_table
def test_actions_and_cards_stay_themselves_when_they_are_copied(rules: Rules, players: int) -> None:
    for match in positions(rules, players):
        for action in some(view_to_act(match).legal, 10):
            for twin in (copy(action), deepcopy(action), pickle.loads(pickle.dumps(action))):
                assert twin is action
    for card in (*rules.whole_pack.cards, HIDDEN):
        for same in (copy(card), deepcopy(card), pickle.loads(pickle.dumps(card))):
            assert same is card


@every_variant
def test_a_match_is_copied_by_the_library_as_by_itself_and_a_view_can_be_sent_elsewhere(rules: Rules) -> None:
    match = rules.match(rules.players[0], "x")
    for twin in (copy(match), deepcopy(match)):
        before = fingerprint(match)
        twin.apply(view_to_act(twin).legal[0])
        assert fingerprint(match) == before
    view = view_to_act(match)
    sent: View = pickle.loads(pickle.dumps(view))
    assert (sent.hand, sent.legal, sent.events) == (view.hand, view.legal, view.events)


@every_variant
def test_a_pickled_match_goes_on_as_the_match_does(rules: Rules) -> None:
    match, rng = rules.match(rules.players[0], "x"), Random(7)
    for _ in range(5):
        match.apply(random_action(view_to_act(match), rng))
    for original in (match, view_to_act(match).sample(rng)):
        twin: Match = pickle.loads(pickle.dumps(original))
        assert fingerprint(twin) == fingerprint(original)
        for each in (original, twin):
            own = Random(3)
            for _ in range(25):
                if not each.is_over:
                    each.apply(random_action(view_to_act(each), own))
        assert fingerprint(twin) == fingerprint(original)


@every_variant
def test_pickled_rules_leave_out_their_tables_and_make_them_again(rules: Rules) -> None:
    has_pack = any(option.name == "pack" for option, _ in list_options(rules))
    changed = rules.with_options({"pack": 40} if has_pack else {"deals": 5})
    twin = pickle.loads(pickle.dumps(changed))
    size = len(pickle.dumps(twin))
    assert (str(twin), twin.overrides) == (str(changed), changed.overrides)
    assert twin.rank_table
    assert twin.hand_size != 3 or twin.strengths
    assert len(pickle.dumps(twin)) == size


@every_variant
def test_objects_print_in_a_line(rules: Rules) -> None:
    match = rules.match(rules.players[0], "x")
    assert repr(rules) == f"variant({rules.name!r})"
    assert repr(match).startswith(f"<match of {rules}: 2 players, deal 0, seat ")
    view = view_to_act(match)
    assert repr(view).startswith(f"<view of {rules}: seat {view.seat}, deal 0, {view.hand[0]}")
    assert max(len(repr(printed)) for printed in (match, view, match.deal, view.opening)) < 250


def test_neither_cards_nor_actions_lose_a_part() -> None:
    view = view_to_act(VARIANTS[0].match(2, "x"))
    for value, part in ((view.hand[0], "points"), (view.legal[0], "kind")):
        with pytest.raises(AttributeError, match="not writable"):
            delattr(value, part)


# --- the end ---


def first(view: View, rng: Random) -> Action:
    return view.legal[0]


def last(view: View, rng: Random) -> Action:
    return view.legal[-1]


DEALS, DECISIONS = 500, 30_000


@every_table
@pytest.mark.parametrize("choose", [first, last], ids=["first", "last"])
def test_a_match_ends(rules: Rules, players: int, choose: Any) -> None:
    match = rules.match(players, "end")
    decisions = sum(1 for _, _ in zip(range(DECISIONS), play_out(match, Random(17), choose), strict=False))
    assert match.is_over, f"it goes on after {decisions} decisions and {len(match.finished_deals)} deals"
    assert len(match.finished_deals) < DEALS
    assert sorted(match.placings)[0] == 1
    assert all(1 <= place <= players for place in match.placings)


@every_table
def test_chips_and_pool_always_sum_to_the_same(rules: Rules, players: int) -> None:
    match = rules.match(players, "money")
    usual = rules.settlement.initial_holdings(players)
    for _ in play_out(match, Random(19)):
        held = match.deal.holdings
        if usual.chips is not None and held.chips is not None:
            assert sum(held.chips) + (held.pool or 0) == sum(usual.chips) + (usual.pool or 0)
        if usual.tokens is not None and held.tokens is not None:
            assert sum(held.tokens) <= sum(usual.tokens) + usual.horse * players
    for deal in match.finished_deals:
        assert deal.changes is not None
        before, chips = deal.opening.holdings, deal.changes.chips
        if chips is not None:
            assert sum(chips) + (deal.changes.pool or 0) - (before.pool or 0) == 0


@pytest.mark.parametrize("rules", READINGS, ids=table_name)
def test_all_of_it_with_options_for_other_readings_of_the_sources(rules: Rules) -> None:
    test_all_of_it_at_every_table_size(rules, 3)


@pytest.mark.full
@pytest.mark.parametrize(("rules", "players"), ALL_TABLES, ids=table_name)
def test_all_of_it_at_every_table_size(rules: Rules, players: int) -> None:
    test_no_card_is_lost_and_none_stands_twice(rules, players)
    test_how_a_match_went_moves_no_card_of_its_later_deals(rules, players)
    test_what_is_not_legal_cannot_be_done_and_changes_nothing(rules, players)
    test_cards_may_be_named_in_any_order(rules, players)
    test_a_match_ends(rules, players, random_action)
    test_chips_and_pool_always_sum_to_the_same(rules, players)
