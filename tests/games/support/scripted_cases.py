"""Tables of scripted deals: the name of a rule, a deal, and what is so after its actions.

    b10 a king from the stock is void
        cuccu | 9S / 4D / 2H / 7C | stock KD
        1:keep, 2:keep, 3:keep, 0:swap -> hand 0: 9S; heard 1: ... show 0 KD ...

A case is a name and the lines indented below it; a line indented twice continues the one above. The line of
a deal has its games (each is played) or a function that makes the deal, with options; the hands by seat,
`-` for a seat that is out of the match; and cards by what they are, such as `table` or `stock`. What
follows `->` must be so after the actions before it, by the names in `FACTS`. `...` stands for more texts,
and `#` begins a comment.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from arena.errors import IllegalAction, InvalidNotation
from arena.games.cards import Card
from arena.games.settlement.holdings import Holdings
from tests.games.support.scripted_deal import ScriptedDeal

Test = Callable[..., None]
Builder = Callable[..., ScriptedDeal]


class Case(NamedTuple):
    """A case of a table: each deal with its lines of actions and facts."""

    name: str
    deals: list[tuple[list[str], list[str]]]


def scripted_cases(text: str, /, **builders: Builder) -> Test:
    """Return a test of all cases of a table; a deal's line may begin with a function that makes the deal."""
    cases = read_cases(text)

    @pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])
    def test(case: Case) -> None:
        for header, steps in case.deals:
            for deal in build_deals(header, builders):
                for step in steps:
                    take_step(deal, step)

    return test


def read_cases(table: str) -> list[Case]:
    """Return the cases of a table."""
    lines: list[str] = []
    for line in table.splitlines():
        if line.startswith(" " * 8):
            lines[-1] += f" {line.strip()}"
        elif line and not line.lstrip().startswith("#"):
            lines.append(line)
    cases: list[Case] = []
    for line in lines:
        if not line.startswith(" "):
            cases.append(Case(line, []))
            continue
        *deal, step = line.strip().split(" | ")
        if "-> " not in step:
            deal, step = [*deal, step], ""
        if deal:
            cases[-1].deals.append((deal, []))
        if step:
            cases[-1].deals[-1][1].append(step)
    return cases


def build_deals(fields: list[str], builders: dict[str, Builder]) -> Iterator[ScriptedDeal]:
    """Yield the deal of a line for each of its games."""
    build, games, options = read_options(fields, builders)
    for game in games:
        yield build(*[game] if game else [], **options)


def read_options(
    fields: list[str], builders: dict[str, Builder]
) -> tuple[Builder, list[str], dict[str, Any]]:
    """Return what makes the deals of a line, its games (or one without a name) and their options."""
    words = fields[0].split()
    build = builders[words.pop(0)] if words[0] in builders else ScriptedDeal
    games = words.pop(0).split(",") if words and "=" not in words[0] else [""]
    options: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        start, _, holding = name.partition(".")
        if holding:
            options.setdefault(start, {})[holding] = read_value(value)
        else:
            options[name] = read_value(value)
    for field in fields[1:]:
        name, _, cards = field.partition(" ")
        if name.isalpha() and name.islower():
            options[name] = cards
        else:
            options["hands"] = [None if hand == "-" else hand for hand in field.split(" / ")]
    return build, games, options


def read_value(text: str) -> Any:
    """Return the value of an option."""
    if "," in text:
        return tuple([read_value(part) for part in text.split(",") if part])
    if text.lstrip("-").isdigit():
        return int(text)
    return {"True": True, "False": False}.get(text, text.strip("'"))


def take_step(deal: ScriptedDeal, step: str) -> None:
    """Play the actions of a line, and check its facts."""
    actions, _, facts = f" {step}".partition(" -> ")
    deal.play(*[action for action in actions.strip().split(", ") if action])
    for fact in facts.split("; "):
        head, colon, text = fact.partition(": ")
        words = head.split()
        if colon and words[-1].isdigit():
            for seat in words:
                if seat.isdigit():
                    check_fact(deal, step, words, text, int(seat))
        else:
            check_fact(deal, step, words, fact.partition(" ")[2], 0)


def check_fact(deal: ScriptedDeal, step: str, words: list[str], expected: str, seat: int) -> None:
    """Check one fact: words of `FACTS`, or `view` and the name of something that a seat's view has."""
    word = words[0]
    if word in ERRORS:
        for text in expected.split(", "):
            with pytest.raises(ERRORS[word]):
                deal.view.parse(text.strip("'"))
        return
    if word == "may":
        forbidden = expected.startswith("not ")
        for text in expected.removeprefix("not ").split(", "):
            assert (text in (*deal.legal, *deal.kinds)) != forbidden, f"{step}: legal is {deal.legal}"
        return
    shown = show(getattr(deal.deal.view(seat), words[1])) if word == "view" else FACTS[word](deal, seat)
    if expected.startswith("... ") and expected.endswith(" ..."):
        assert f", {expected[4:-4]}," in f", {shown},", f"{step}: {word} {shown}"
    elif expected.endswith(" ..."):
        assert f"{shown}, ".startswith(f"{expected[:-4]}, "), f"{step}: {word} {shown}"
    elif expected.startswith("... "):
        assert f", {shown}".endswith(f", {expected[4:]}"), f"{step}: {word} {shown}"
    else:
        assert shown == expected, f"{step}: {word} {shown}"


ERRORS: dict[str, type[Exception]] = {"illegal": IllegalAction, "unread": InvalidNotation}
FACTS: dict[str, Callable[[ScriptedDeal, int], str]] = {
    "over": lambda deal, seat: "" if deal.asked is None else f"not: seat {deal.asked} is asked",
    "asked": lambda deal, seat: show(deal.asked),
    "legal": lambda deal, seat: ", ".join(deal.legal),
    "count": lambda deal, seat: str(len(deal.legal)),
    "kinds": lambda deal, seat: ", ".join(sorted(deal.kinds)),
    "default": lambda deal, seat: deal.view.text(deal.deal.legal_actions.default),
    "hands": lambda deal, seat: " / ".join(deal.hands),
    "hand": lambda deal, seat: deal.hands[seat],
    "table": lambda deal, seat: deal.widow,
    "knocker": lambda deal, seat: show(deal.knocker),
    "now": lambda deal, seat: show_holdings(deal.deal.holdings),
    "log": lambda deal, seat: ", ".join(event.text for event in deal.deal.log),
    "stock": lambda deal, seat: str(deal.deal.stock.left),
    "text": lambda deal, seat: deal.deal.format_hand(seat),
    "laid": lambda deal, seat: show_sets(deal.deal.view(seat), seat),
    "heard": lambda deal, seat: show(deal.deal.view(seat).events),
    "cards": lambda deal, seat: show([event.cards for event in deal.deal.view(seat).past]),
    "slots": lambda deal, seat: show([event.action.give for event in deal.deal.view(seat).past]),
    "shown": lambda deal, seat: " / ".join(
        [deal.deal.format_seen_hand(n, seat) for n in range(len(deal.hands))]
    ),
    "leaves": lambda deal, seat: show([deal.view.after(action) for action in deal.view.legal]),
    "knows": lambda deal, seat: show(deal.deal.view(seat).known),
    "result": lambda deal, seat: ", ".join(f"{name} {show(value)}" for name, value in deal.result.items()),
    "tokens": lambda deal, seat: show(deal.result["tokens"]),
    "chips": lambda deal, seat: show(deal.result["chips"]),
    "points": lambda deal, seat: show(deal.result["points"]),
    "held": lambda deal, seat: show_holdings(deal.after),
    "left": lambda deal, seat: show(deal.after.tokens),
    "out": lambda deal, seat: show(deal.after.went_out),
}


def show_sets(view: Any, seat: int) -> str:
    """Return the sets laid by a seat, as `arena hand` reads them."""
    return " ".join([f"[{show(cards)}]" for cards in view.sets[seat]])


def show_holdings(holdings: Holdings) -> str:
    """Return the tokens, chips and pool."""
    named = {"tokens": holdings.tokens, "chips": holdings.chips, "pool": holdings.pool}
    return ", ".join([f"{name} {show(value)}" for name, value in named.items() if value is not None])


def show(value: Any) -> str:
    """Return a value as a table has it: cards with spaces, hands with strokes, texts with commas between."""
    if isinstance(value, tuple | list):
        if any(isinstance(part, tuple | list) for part in value):
            return " / ".join([show(part) for part in value])
        texts = any(isinstance(part, str) and not isinstance(part, Card) for part in value)
        return (", " if texts else " ").join([show(part) for part in value]) or "-"
    return "-" if value is None else str(value)
