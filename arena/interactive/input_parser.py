"""What a person has typed, read as an action: by number or in notation, without pedantry."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from arena.errors import ArenaError, InvalidNotation
from arena.games import View
from arena.games.action import Action
from arena.report.text_format import strip_unprintable, truncate

SIGNS: Final = {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "→": ">"}
"""How suits may be typed besides."""
ASIDE: Final = frozenset({"for", "with", "and", "the", "a", "my", "card", "cards", "i", "all"})
"""Words that say nothing by themselves."""
VERBS: Final = frozenset({"take", "give", "swap", "exchange", "trade", "throw", "put", "play"})
"""The same of these, where no action is called so."""
WISHES: Final = ("hint", "log", "rules", "help", "quit")
"""What may be typed that is no action."""
SHOWN: Final = 40
"""Letters of what was typed that are shown in an answer."""
NAMED: Final = 6
"""The most actions named in a question back."""


class Parts(NamedTuple):
    """What a text consists of."""

    words: tuple[str, ...]
    things: Counter[str]
    """Cards and places."""


def parse_input(text: str, view: View) -> Action:
    """The action that somebody means.

    Raises: InvalidNotation with what would be right, where it is none of the legal ones or several.
    """
    typed = " ".join(text.split())
    if typed.isdecimal() and typed.isascii():
        return _numbered(typed, view)
    cards = {card.text.lower(): card.text for card in view.opening.rules.whole_pack.cards}
    wanted = _parts(_plainly(typed), cards, view.seat)
    found = matching(wanted, [(_parts(view.text(one).lower(), cards, view.seat), one) for one in view.legal])
    if len(found) == 1:
        return found[0]
    if found:
        shown = " or ".join(view.text(one) for one in found[:NAMED])
        more = f", or {len(found) - NAMED} more" if len(found) > NAMED else ""
        raise InvalidNotation(f"That could be {shown}{more}.")
    raise InvalidNotation(_why_not(typed, wanted, view))


def matching(wanted: Parts, legal: Sequence[tuple[Parts, Action]]) -> list[Action]:
    """The actions that best fit what was typed: to the letter, else by beginnings, else in part."""
    known = {word for parts, _ in legal for word in parts.words}
    said = [one for one in wanted.words if one not in VERBS or any(word.startswith(one) for word in known)]
    wanted = wanted._replace(words=tuple(said))
    whole = [(parts, one) for parts, one in legal if parts.things == wanted.things]
    exact = [one for parts, one in whole if parts.words == wanted.words]
    begun = [one for parts, one in whole if _begins(wanted.words, parts.words)]
    partly = [
        one for parts, one in legal if wanted.things <= parts.things and _begins(wanted.words, parts.words)
    ]
    return exact or begun or (partly if wanted.words or wanted.things else [])


def _begins(typed: Sequence[str], words: Iterable[str]) -> bool:
    """Whether each word typed is the beginning of one of these, in their order."""
    rest = iter(words)
    return all(any(word.startswith(one) for word in rest) for one in typed)


def _numbered(digits: str, view: View) -> Action:
    most = len(view.legal)
    if len(digits) <= len(str(most)) and 1 <= int(digits) <= most:
        return view.legal[int(digits) - 1]
    raise InvalidNotation(f"There is no {truncate(digits, SHOWN)}: the numbers go from 1 to {most}.")


def _plainly(typed: str) -> str:
    """A text in small letters, suits by letters, the ten as T."""
    text = typed.lower()
    for sign, letter in SIGNS.items():
        text = text.replace(sign, letter)
    text = re.sub(r"\b10(?=[shdc]\b)", "t", text)
    return "*" if text == "all" else text


def _parts(text: str, cards: dict[str, str], seat: int) -> Parts:
    words, things = [], Counter[str]()
    for one in re.split(r"[\s,>;.<]+|-+>?(?=\s|$)", text):
        if one in cards:
            things[cards[one]] += 1
        elif re.fullmatch(r"#\d+|\d+:\d+|\?\?|\*", one):
            things[one] += 1
        elif one.isdecimal():
            things[f"{seat}:{one}"] += 1
        elif one and one not in ASIDE:
            words.append(one)
    return Parts(tuple(words), things)


def _why_not(typed: str, wanted: Parts, view: View) -> str:
    """What is wrong with what was typed, and what would be right."""
    lying = {card.text for card in (*view.hand, *view.table)}
    missing = [one for one in wanted.things if one[-1] not in "?*" and one[0] != "#" and ":" not in one]
    missing = [one for one in missing if one not in lying]
    if missing:
        return f"{missing[0]} is not there: {' '.join(map(str, view.hand))} are yours."
    if wanted.things:
        try:
            view.parse(truncate(_notation(typed, view), SHOWN))
        except InvalidNotation:
            pass  # not as it is written in records, which nobody was asked for
        except ArenaError as error:
            return strip_unprintable(f"{str(error)[0].upper()}{str(error)[1:]}.")
    names = [*WISHES, *(view.text(one) for one in view.legal)]
    close = get_close_matches(typed[:SHOWN].lower(), names, n=1)
    right = f"do you mean {close[0]}?" if close else f"type a number, or as in {view.text(view.legal[0])}."
    return f"{truncate(typed, SHOWN)!r} is nothing you may do now; {right}"


def _notation(typed: str, view: View) -> str:
    """What was typed with its cards spelled as in notation."""
    cards = {card.text.lower(): card.text for card in view.opening.rules.whole_pack.cards}
    return re.sub(r"[\w$]+", lambda found: cards.get(found[0], found[0]), _plainly(typed))
