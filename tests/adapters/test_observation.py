"""Observation vectors: bounds, places, and that nothing hidden gets into them."""

import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.adapters import generic_encoding
from arena.adapters.observation import Observation, ObservationEncoder, get_encoder
from arena.adapters.observation_layout import LayoutBuilder
from arena.games import VARIANTS, Match, Rules, View, variant
from tests.adapters.test_action_space import OPTIONS, each_table, views
from tests.games.support.random_play import play_out, positions, table_name, view_to_act

each_variant = pytest.mark.parametrize("rules", [*VARIANTS, *OPTIONS], ids=table_name)


def part(view: View, name: str) -> Any:
    """Return a feature of a view's observation, in its shape."""
    encoder = get_encoder(view.opening.rules, view.players)
    feature = encoder.layout.feature(name)
    return encoder.encode(view)[feature.slice].reshape(feature.shape)


def encode(match: Match, seat: int) -> Observation:
    return get_encoder(match.rules, match.players).encode(match.view(seat))


@each_table
def test_values_are_float32_from_0_to_1_for_every_seat(rules: Rules, players: int) -> None:
    encoder = get_encoder(rules, players)
    rng = Random(f"{rules}/{players}")
    for _, match in zip(range(40), play_out(rules.match(players, "bounds"), rng), strict=False):
        for seat in {match.seat_to_act or 0, rng.randrange(players)}:
            vector = encoder.encode(match.view(seat))
            assert vector.dtype == np.float32
            assert vector.shape == (encoder.size,)
            assert 0 <= vector.min() <= vector.max() <= 1


@each_variant
def test_the_features_fill_the_vector_without_gaps(rules: Rules) -> None:
    layout = get_encoder(rules, 2).layout
    assert layout.features[0].slice.start == 0
    for earlier, following in zip(layout.features, layout.features[1:], strict=False):
        assert earlier.slice.stop == following.slice.start
    for feature in layout.features:
        assert int(np.prod(feature.shape)) == feature.slice.stop - feature.slice.start
        assert feature.meaning
    assert len({feature.name for feature in layout.features}) == len(layout)
    assert len(repr(layout).splitlines()) == len(layout)


@each_variant
def test_a_match_drawn_from_the_view_looks_the_same(rules: Rules) -> None:
    rng = Random(7)
    for match in positions(rules, min(3, rules.players[-1]), "drawn", 8):
        view = view_to_act(match)
        drawn = view.sample(rng)
        assert np.array_equal(encode(drawn, view.seat), encode(match, view.seat))


def test_every_call_gives_an_array_of_its_own() -> None:
    match = variant("lives").match(3, "own")
    first, other = encode(match, 0), encode(match, 0)
    first[:] = 5
    assert other.max() <= 1
    into = np.full_like(other, 3)
    get_encoder(match.rules, 3).encode_into(match.view(0), into)
    assert np.array_equal(into, other)


def test_a_view_with_more_than_the_vector_has_room_for_is_refused() -> None:
    rules = variant("lives")
    view = view_to_act(rules.match(3, "room"))
    encoder = ObservationEncoder(rules, 3)
    encoder.size -= 1  # type: ignore[misc]
    with pytest.raises(ValueError, match=f"an observation of {encoder.size + 1} values, not {encoder.size}"):
        encoder.encode(view)


def test_the_hand_and_the_widow_are_ranks_and_suits_by_slot() -> None:
    match = variant("lives").match(4, "view")
    view: Any = view_to_act(match)
    ranks, suits = "23456789TJQKA", "SHDC"
    for name, cards in (("hand", view.hand), ("widow", view.widow)):
        for slot, card in zip(part(view, name), cards, strict=True):
            assert [ranks[place] for place in np.flatnonzero(slot[:13])] == [card.rank]
            assert [suits[place] for place in np.flatnonzero(slot[13:17])] == [card.suit]
            assert slot[17] == 0


def test_a_card_that_is_not_known_is_a_mark_of_its_own() -> None:
    match = variant("pool").match(4, "blind")
    hand = part(view_to_act(match), "hand")
    assert hand[:, :-1].sum() == 0
    assert hand[:, -1].tolist() == [1, 1, 1]


def test_seats_are_relative_to_the_one_that_observes() -> None:
    match = variant("lives").match(4, "relative")
    first = view_to_act(match).seat
    match.apply(match.parse("knock"))
    for seat in range(4):
        view = match.view(seat)
        assert np.flatnonzero(part(view, "knocker")).tolist() == [(first - seat) % 4]
        assert np.flatnonzero(part(view, "dealer")).tolist() == [(view.dealer - seat) % 4]
        (row,) = np.flatnonzero(part(view, "last_action").any(axis=1))
        assert row == (first - seat) % 4


def test_cards_taken_from_the_widow_are_known_to_the_others() -> None:
    match = variant("lives").match(3, "known")
    view: Any = view_to_act(match)
    match.apply(view.legal[0])
    taken, seat = view.widow[0], view.seat
    cards = get_encoder(match.rules, 3).rules.whole_pack.cards
    for other in {0, 1, 2} - {seat}:
        known = part(match.view(other), "known")
        row, column = np.argwhere(known)[0]
        assert (row + 1, cards[column]) == ((seat - other) % 3, taken)
        assert known.sum() == 1


def test_tokens_fall_with_each_loss() -> None:
    rules = variant("lives")
    match = rules.match(2, "tokens")
    start = part(match.view(0), "tokens").tolist()
    rng = Random(1)
    while not match.is_over:
        held = [tokens / 3 for tokens in match.view(0).holdings.tokens or ()]
        assert part(match.view(0), "tokens") == pytest.approx(held)
        match.apply(rng.choice(view_to_act(match).legal))
    assert start == [1, 1]
    assert sorted(match.holdings.tokens or ())[0] == 0


def test_the_phase_names_the_kinds_of_legal_actions() -> None:
    for view in views(variant("thirty-one"), 3, "phase", 50):
        kinds = ("draw", "knock", "discard")
        kinds_shown = {kinds[place] for place in np.flatnonzero(part(view, "phase"))}
        assert kinds_shown == {action.kind for action in view.legal}


def test_the_documentation_has_every_feature() -> None:
    page = (Path(__file__).parents[2] / "docs/adapters.md").read_text(encoding="utf-8")
    table = page.partition("| feature |")[2].partition("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if "|" in line]
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    names = {name for rules in [*VARIANTS, *OPTIONS] for name in get_encoder(rules, 2).layout}
    assert documented == names


def test_a_hand_larger_than_any_explored_fills_only_its_slots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its first cards are in slots, and all of them are among the cards seen."""
    rules = variant("lives", tokens=1)
    explored = generic_encoding.explore(rules, 2)
    monkeypatch.setattr(generic_encoding, "explore", lambda *table: explored._replace(hand_size=2))
    builder = LayoutBuilder(rules, 2)
    generic_encoding.add_features(builder)
    view = rules.match(2, "hands").view(0)
    features = [encode(view) for *_, encode in builder.features]
    hand, seen = (np.frombuffer(feature, np.float32) for feature in features)
    assert len(hand) == 2 * builder.code.slot_width
    assert seen.sum() >= len(view.hand) == 3
