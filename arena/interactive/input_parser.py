"""Parsing of typed input as an action: a number, the notation, or part of it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from arena.errors import ArenaError, InvalidNotation
from arena.games import View
from arena.games.action import Action
from arena.output.words.text import strip_unprintable, truncate

SYMBOLS: Final = str.maketrans("♠♥♦♣→", "shdc>")
FILLER_WORDS: Final = frozenset({"for", "with", "and", "the", "a", "my", "card", "cards", "i", "all"})
OPTIONAL_VERBS: Final = frozenset({"take", "give", "swap", "exchange", "trade", "throw", "put", "play"})
"""Filler words too, unless a legal action begins like one of them."""
COMMANDS: Final = ("hint", "log", "rules", "help", "quit")
MAX_QUOTED_CHARS: Final = 40
MAX_NAMED_ACTIONS: Final = 6


class Tokens(NamedTuple):
    """The parts of a typed text or of an action's notation."""

    words: tuple[str, ...]
    things: Counter[str]
    """Cards and places."""


def parse_input(text: str, view: View) -> Action:
    """Return the legal action that a typed text means. Raises InvalidNotation if it fits none, or several."""
    typed = " ".join(text.split())
    if typed.isdecimal() and typed.isascii():
        return _action_by_number(typed, view)
    cards = {card.text.lower(): card.text for card in view.opening.rules.whole_pack.cards}
    wanted = _tokenize(_normalize(typed), cards, view.seat)
    legal = [(_tokenize(view.text(action).lower(), cards, view.seat), action) for action in view.legal]
    actions = find_matches(wanted, legal)
    if len(actions) == 1:
        return actions[0]
    if actions:
        named = " or ".join(view.text(action) for action in actions[:MAX_NAMED_ACTIONS])
        more = f", or {len(actions) - MAX_NAMED_ACTIONS} more" if len(actions) > MAX_NAMED_ACTIONS else ""
        raise InvalidNotation(f"That could be {named}{more}.")
    raise InvalidNotation(_explain_failure(typed, wanted, view))


def find_matches(wanted: Tokens, legal: Sequence[tuple[Tokens, Action]]) -> list[Action]:
    """Return the actions that fit best: exactly, else by beginnings of words, else with cards missing."""
    known = {word for tokens, _ in legal for word in tokens.words}
    optional = {verb for verb in OPTIONAL_VERBS if not any(word.startswith(verb) for word in known)}
    words = tuple([word for word in wanted.words if word not in optional])
    same_things = [(tokens, action) for tokens, action in legal if tokens.things == wanted.things]
    exact = [action for tokens, action in same_things if tokens.words == words]
    abbreviated = [action for tokens, action in same_things if _abbreviates(words, tokens.words)]
    partial = [
        action
        for tokens, action in legal
        if wanted.things <= tokens.things and _abbreviates(words, tokens.words)
    ]
    return exact or abbreviated or (partial if words or wanted.things else [])


def _abbreviates(typed: Sequence[str], words: Iterable[str]) -> bool:
    """Return whether each word typed begins one of these words, in their order."""
    rest = iter(words)
    return all(any(word.startswith(prefix) for word in rest) for prefix in typed)


def _action_by_number(digits: str, view: View) -> Action:
    largest = len(view.legal)
    if len(digits) <= len(str(largest)) and 1 <= int(digits) <= largest:
        return view.legal[int(digits) - 1]
    raise InvalidNotation(
        f"There is no {truncate(digits, MAX_QUOTED_CHARS)}: the numbers go from 1 to {largest}."
    )


def _normalize(typed: str) -> str:
    """Return a text in lower case, with letters for suits and `t` for ten."""
    text = typed.lower().translate(SYMBOLS)
    text = re.sub(r"\b10(?=[shdc]\b)", "t", text)
    return "*" if text == "all" else text


def _tokenize(text: str, cards: dict[str, str], seat: int) -> Tokens:
    words, things = [], Counter[str]()
    for part in re.split(r"[\s,>;.<]+|-+>?(?=\s|$)", text):
        if part in cards:
            things[cards[part]] += 1
        elif re.fullmatch(r"#\d+|\d+:\d+|\?\?|\*", part):
            things[part] += 1
        elif part.isdecimal():
            things[f"{seat}:{part}"] += 1
        elif part and part not in FILLER_WORDS:
            words.append(part)
    return Tokens(tuple(words), things)


def _explain_failure(typed: str, wanted: Tokens, view: View) -> str:
    """Return what is wrong with a text that fits no legal action, and what can be typed instead."""
    visible = {card.text for card in (*view.hand, *view.table)}
    named = [
        thing for thing in wanted.things if thing[-1] not in "?*" and thing[0] != "#" and ":" not in thing
    ]
    missing = [card for card in named if card not in visible]
    if missing:
        return f"{missing[0]} is not available: your cards are {' '.join(map(str, view.hand))}."
    if wanted.things:
        try:
            view.parse(truncate(_to_notation(typed, view), MAX_QUOTED_CHARS))
        except InvalidNotation:
            pass  # strict notation is not required here
        except ArenaError as error:
            return strip_unprintable(f"{str(error)[0].upper()}{str(error)[1:]}.")
    names = [*COMMANDS, *(view.text(action) for action in view.legal)]
    close = get_close_matches(typed[:MAX_QUOTED_CHARS].lower(), names, n=1)
    example = view.text(view.legal[0])
    advice = f"did you mean {close[0]}?" if close else f"type a number, or for example {example}."
    return f"{truncate(typed, MAX_QUOTED_CHARS)!r} is not a legal action; {advice}"


def _to_notation(typed: str, view: View) -> str:
    cards = {card.text.lower(): card.text for card in view.opening.rules.whole_pack.cards}
    return re.sub(r"[\w$]+", lambda match: cards.get(match[0], match[0]), _normalize(typed))
