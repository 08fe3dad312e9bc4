"""What has happened, told to somebody who sits at the table: only what that seat may know."""

from typing import Final

from arena.interactive.seat_names import SeatNames
from arena.report.action_text import words

UNSEEN: Final = "??"
IN_WORDS: Final = {
    "trade ??": "trades a card with the dealer",
    "barter ??": "offers the neighbour a card",
    "give ??": "gives a card for it",
    "decline": "declines the offer",
    "??>??": "takes the hidden card for a card unseen",
    "draw": "draws a card",
    "place": "puts it at place",
    "buy": "buys the discard",
    "take": "takes the second packet, unseen",
}
"""Deeds of others, or of cards unseen, in other words than those of somebody who sees all."""


def describe_event(event: str, names: SeatNames, family: str) -> str:
    """An event as its receiver may read it, given its notation."""
    head, colon, action = event.partition(":")
    if colon and head.isdecimal():
        seat = int(head)
        return f"{names[seat]:{names.width}}  {names.says(seat, _deed(action, seat, names))}"
    return f"{'':{names.width}}  {_by_table(event, names, family)}"


def _deed(action: str, seat: int, names: SeatNames) -> str:
    if action in IN_WORDS:
        return IN_WORDS[action]
    kind, _, what = action.partition(" ")
    if kind == "trade":
        return f"trades {what} with the dealer"
    if kind == "barter":
        return f"offers {what} to the neighbour"
    if kind in ("peek", "swap", "snap") and what:
        verb = {"peek": "looks at", "swap": "swaps", "snap": "snaps"}[kind]
        return f"{verb} {' and '.join(_place(spot, names, seat) for spot in what.split())}"
    return words(action).replace(UNSEEN, "the hidden card")


def _by_table(event: str, names: SeatNames, family: str) -> str:
    kind, _, what = event.partition(" ")
    at, _, cards = what.partition(" ")
    match kind:
        case "widow":
            return f"the widow is {what}" if " " in what else f"{what} is laid to the widow"
        case "discard":
            return f"{what} lies on the discard"
        case "drawn":
            return f"you have drawn {what}"
        case "seen":
            return f"{_place(at, names)} is {cards}"
        case "show":
            return f"{names[int(at)]} {names.says(int(at), _showing(family, cards))} {cards}"
        case "replace":
            drawn = cards.replace(UNSEEN, "a card").replace("a card a card", "two cards")
            return f"{names[int(at)]} {names.says(int(at), 'gets')} {drawn} in return"
        case "penalty":
            seat = int(at.partition(":")[0])
            return f"{names[seat]} {names.says(seat, 'gets')} a card nobody has seen"
        case "reshuffle":
            return "the discards become the stock"
    return event


def _showing(family: str, cards: str) -> str:
    """What it is that a seat does with cards that are shown."""
    if family == "cox":
        return "lays out"
    return "gives you" if family == "barter" and " " not in cards else "shows"


def _place(spot: str, names: SeatNames, doer: int | None = None) -> str:
    """Where a card lies: `greedy's card 3`, given `1:3`; `its card 3` to who does something with it."""
    owner, _, slot = spot.partition(":")
    its = int(owner) == doer != names.own
    return f"{'its' if its else names.of(int(owner))} card {slot}"
