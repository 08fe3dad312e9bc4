"""Actions in words: what a seat did, told to somebody who watches."""

from collections.abc import Sequence
from typing import Final

WORDS: Final = {
    "*": "gives the whole hand for the whole table",
    "pass": "passes",
    "knock": "knocks",
    "pounce": "pounces",
    "leave": "lets it go by",
    "keep": "keeps",
    "take": "takes the other hand",
    "turn": "turns the widow up",
    "renew": "renews the widow",
    "horse": "buys a horse",
    "no-horse": "buys no horse",
    "stand": "stands",
    "decline": "declines",
    "continue": "goes on",
    "draw": "draws",
    "draw stock": "draws from the stock",
    "draw discard": "takes the discard",
    "discard": "discards it",
    "swap": "swaps with the next",
    "skip": "does without",
    "cambio": "calls cambio",
    "buy": "buys it",
    "hold": "lays nothing out",
    "sell": "sells out",
}
"""Actions that are one thing each."""
VERBS: Final = {
    "trade": "trades",
    "barter": "offers",
    "give": "gives",
    "discard": "discards",
    "place": "puts it at place",
    "peek": "looks at",
    "swap": "swaps",
    "snap": "snaps",
    "lay": "lays",
}
"""The first words of actions that name cards or places."""
TABLE_WORDS: Final = {
    "widow": "{what} is laid out",
    "discard": "{what} lies on the discard",
    "show": "{bot} shows {cards}",
    "replace": "{bot} draws in their place",
    "seen": "{cards} is seen at {place}",
    "penalty": "{bot} gets a card nobody has seen",
    "reshuffle": "the discards become the stock",
}
"""What the table does, by the first word of its notation."""


def words(action: str) -> str:
    """An action in words, given its notation."""
    if action in WORDS:
        return WORDS[action]
    given, exchange, taken = action.partition(">")
    if exchange:
        return f"takes {_listed(taken)} for {_listed(given)}"
    verb, _, what = action.partition(" ")
    return f"{VERBS[verb]} {what}" if verb in VERBS else action


def table_words(event: str, bots: Sequence[str]) -> str:
    """What the table did in words, given its notation and the names of the bots by seat."""
    kind, _, what = event.partition(" ")
    place, _, cards = what.partition(" ")
    seat = place.partition(":")[0]
    bot = bots[int(seat)] if seat.isdecimal() else ""
    return TABLE_WORDS.get(kind, event).format(what=what, place=place, bot=bot, cards=cards)


def _listed(cards: str) -> str:
    """Cards with spaces between; those given by their places are called so."""
    return " ".join(f"card {card[1:]}" if card.startswith("#") else card for card in cards.split(","))
