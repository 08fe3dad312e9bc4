"""Lines of the replay viewer: events in notation and in words."""

from arena.games import variant
from arena.games.events import merge_events
from arena.output.pages.frame_lines import EventLines

BOTS = ["Ann", "Bob"]


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
