"""Replay frames add up to the deal in every variant: hands, known cards, leaders, and lines in words."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from arena.errors import InvalidNotation
from arena.games import VARIANTS, Deal, Rules, variant
from arena.games.action import PrivateEvent, format_cards, merge_events
from arena.games.cards import HIDDEN, Hand
from arena.games.rankings.base import HandRank
from arena.output.pages import replay_frames
from arena.output.pages.event_lines import EventLines
from arena.output.pages.replay_frames import build_match_frames
from arena.output.words.cards import describe_rank
from arena.output.words.family_text import get_family_text
from arena.play import Bot, play_match
from arena.play.chances import Chances
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import decode_record, encode_record

PLAYERS = 3
BOTS = ["Ann", "Bob", "Cid"]


class Anything(Bot):
    """Plays random legal actions."""

    def act(self, view: Any) -> Any:
        return self.rng.choice(view.legal)


def deals_of(rules: Rules, seed: str = "any text") -> list[Deal]:
    return replay_record(decode_record(encode_record(play_match(rules, [Anything] * PLAYERS, seed=seed))))


def folded(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the full state at each frame, as the viewer computes it."""
    state: dict[str, Any] = {"hands": {}, "known": {}, "ranks": {}}
    states = []
    for frame in told["frames"]:
        parts = {key: {**state[key], **frame.get(key, {})} for key in ("hands", "known", "ranks")}
        state = {**state, **frame, **parts}
        states.append(state)
    return states


def through_json(deal: Deal) -> dict[str, Any]:
    """Return the frames after a round trip through JSON."""
    told: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(build_match_frames([deal], BOTS)))
    return told[0]


def known_cards(text: str, bits: int) -> list[str]:
    return [card for slot, card in enumerate(text.split()) if bits >> slot & 1]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_frames_follow_every_hand_to_the_end(rules: Rules) -> None:
    for deal in deals_of(rules)[:3]:
        states = folded(through_json(deal))
        assert len(states) == len(deal.log) + 1
        for state, again in zip(states, deal.replay(), strict=True):
            assert state["hands"] == {
                str(seat): format_cards(again.hands[seat]) for seat in deal.opening.order
            }
            assert state["asked"] == again.to_act


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_family_knows_for_all_seats_what_each_view_knows(rules: Rules) -> None:
    text = get_family_text(rules)
    for deal in deals_of(rules)[:3]:
        known: Sequence[tuple[Hand, ...]] = ()
        public, asides = None, list[PrivateEvent | None]([None] * PLAYERS)
        for again in deal.replay():
            views = [again.view(seat) for seat in range(PLAYERS)]
            news = [
                merge_events(again.public, aside, public, before)
                for aside, before in zip(again.private_events, asides, strict=True)
            ]
            known = text.known_by(views, news, known)
            public, asides = again.public, list(again.private_events)
            for view, hands in zip(views, known, strict=True):
                expected = view.known
                assert len(hands) == len(expected)
                assert all(hands[seat] == expected[seat] for seat in range(len(hands)) if seat != view.seat)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_known_cards_match_the_views(rules: Rules) -> None:
    deal = deals_of(rules)[0]
    for state, again in zip(folded(through_json(deal)), deal.replay(), strict=True):
        for owner in deal.opening.order:
            text = state["hands"][str(owner)]
            for seat in range(PLAYERS):
                view = again.view(seat)
                own = view.hand if seat == owner else view.known[owner]
                laid = [
                    card for name, at, cards, _ in state["piles"] if at == owner for card in cards.split()
                ]
                due = [card.text for card in own if card is not HIDDEN]
                for card in laid if rules.family == "cox" and seat != owner else ():
                    due.remove(card)
                assert sorted(known_cards(text, state["known"][str(owner)][seat])) == sorted(due)


def test_drawn_cards_are_hidden_from_other_seats() -> None:
    frames = [frame for deal in deals_of(variant("thirty-one")) for frame in through_json(deal)["frames"]]
    draws = [frame for frame in frames if frame["lines"] and frame["lines"][0][1] == "draw stock"]
    assert draws
    for frame in draws:
        seat, _, words = frame["lines"][0]
        assert words.startswith("draws from the stock: ")
        others = {str(other) for other in range(PLAYERS)} - {str(seat)}
        assert {words for heard in frame["by_seat"].values() for _, _, words in heard} == {
            "draws from the stock"
        }
        assert set(frame["by_seat"]) == others


def test_the_lead_and_the_knock_are_turning_points() -> None:
    told = through_json(deals_of(variant("lives"))[0])
    states = folded(told)
    changes = [step for step in range(1, len(states)) if states[step]["best"] != states[step - 1]["best"]]
    knocks = [step for step, frame in enumerate(told["frames"]) if step and frame["lines"][0][1] == "knock"]
    assert [step for step, _ in told["turning_points"]] == sorted({*changes, *knocks})


def test_best_is_who_holds_the_best_hand_at_the_end() -> None:
    for deal in deals_of(variant("pool")):
        best = folded(through_json(deal))[-1]["best"]
        ranks = {seat: deal.rank_hand(seat) for seat in deal.opening.order}
        assert set(best) == {seat for seat, rank in ranks.items() if rank == max(ranks.values())}


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_ranks_are_described_again_only_for_hands_that_changed(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = deals_of(rules)[0]
    described: list[object] = []

    def note_rank(rank: HandRank, hand: Hand) -> str:
        described.append(hand)
        return describe_rank(rank, hand)

    monkeypatch.setattr(replay_frames, "describe_rank", note_rank)
    build_match_frames([deal], BOTS)
    bases: dict[int, object] = {}
    due = 0
    for again in deal.replay():
        for seat in deal.opening.order:
            basis = again.rank_basis(seat)
            if basis != bases.get(seat):
                bases[seat] = basis
                with suppress(InvalidNotation):
                    again.rank_hand(seat)
                    due += 1
    assert len(described) == due


def test_frames_of_a_match_are_those_of_its_deals() -> None:
    deals = deals_of(variant("lives"))
    assert build_match_frames(deals, BOTS) == [build_match_frames([deal], BOTS)[0] for deal in deals]


def test_actions_after_which_the_chance_of_their_seat_fell_are_turning_points() -> None:
    deals = deals_of(variant("lives"))
    seats = range(len(BOTS))
    steps = [
        [Chances(tuple(0.0 for _ in seats), tuple(0.0 for _ in seats)) for _ in range(len(deal.log) + 1)]
        for deal in deals
    ]
    steps[0][0] = Chances(tuple(0.7 for _ in seats), tuple(0.0 for _ in seats))
    before = build_match_frames(deals, BOTS)[0]["turning_points"]
    after = build_match_frames(deals, BOTS, chances=steps)[0]["turning_points"]
    assert after == [*before, (1, "chance falls by 70 points")]


def test_an_event_is_a_seat_its_notation_and_its_words() -> None:
    deal = variant("lives").match(players=2, seed="lines").deal
    seat = deal.to_act
    deal.apply(deal.legal_actions.actions[0])
    (*_, event) = merge_events(deal.public, None)
    given, taken = event.cards
    (line,) = EventLines(deal.opening.rules, BOTS).describe([event])
    assert line == (seat, f"{given}>{taken}", f"takes {taken} for {given}")


def test_an_event_is_described_once() -> None:
    deal = variant("lives").match(players=2, seed="lines").deal
    deal.apply(deal.legal_actions.actions[0])
    events = merge_events(deal.public, None)
    lines = EventLines(deal.opening.rules, BOTS)
    first, second = lines.describe(events), lines.describe(events)
    assert len(first) == len(events) > 0
    assert all(line is other for line, other in zip(first, second, strict=True))
