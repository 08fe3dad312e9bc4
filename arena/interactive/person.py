"""A person at a table: what was typed, hints, help, and the player who asks for it at a terminal."""

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

import click

from arena.errors import ArenaError, InvalidNotation
from arena.games import Deal, Opening, Rules, View
from arena.games.action import Action, Event, format_cards, merge_events
from arena.games.cards import HIDDEN
from arena.interactive.table import format_menu
from arena.interactive.terminal_io import Terminal
from arena.output.tables.games import Clause, split_rules
from arena.output.words.cards import (
    color_cards,
    drop_showdown,
    format_holdings,
    format_outcome,
    showdown_rows,
)
from arena.output.words.family_text import get_family_text
from arena.output.words.seat_names import SeatNames
from arena.output.words.terminal_layout import align_rows
from arena.output.words.text import strip_unprintable, truncate
from arena.play import Bot, Info
from arena.play.bot import make_factory
from arena.plugins import InstalledBot

# --- typed input ---
# A number, the notation, or part of it.

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


# --- hints ---
# The action that a built-in bot would choose, with a reason if there is a short one.

GUESSING: Final = "random"
"""The bot of games whose family recommends none."""


class HintBot:
    """A built-in bot that is given the views of a person and suggests actions."""

    def __init__(self, info: Info) -> None:
        self.name = get_family_text(info.rules).recommended_bots(info.rules)[0]
        self._bot: Any = make_factory(InstalledBot(self.name).load())(info)
        self._last: tuple[View, Action] | None = None

    def hint(self, view: View) -> str:
        """Return the suggested action, and in a second line the reason."""
        action, reason = self.suggest(view)
        suggestion = f"{self.name} would play {view.text(action)}"
        return f"{suggestion}\n{reason}" if reason else suggestion

    def suggest(self, view: View) -> tuple[Action, str]:
        """Return an action and the reason, empty if there is no short one; the same for the same view."""
        if self._last is None or self._last[0] is not view:
            answer = self._bot.act(view)
            self._last = view, view.parse(answer) if isinstance(answer, str) else answer
        action = self._last[1]
        if self.name == GUESSING:
            return action, "no bot knows this game: any action is as good"
        return action, get_family_text(view.opening.rules).hint_reason(view, action)


# --- help ---
# What can be typed, and the rules of the variant.

HELP: Final = """\
  Type a number or an action; short forms work.
  Enter   show the table again   log   the deal's past
  h       a good play, and why   ?     the rules
  quit    leave (or Ctrl-D); finished deals are saved"""
CLAUSE_NUMBER: Final = re.compile(r"(\d+\.|[-*]) ")


def format_rules(rules: Rules, columns: int) -> str:
    """Return the rule page of a variant, wrapped, see `split_rules`."""
    return "\n".join([_format_clause(clause, columns) for clause in split_rules(rules)])


def _format_clause(clause: Clause, columns: int) -> str:
    if clause.kind == "heading":
        return f"\n{click.style(clause.text, bold=True)}"
    if clause.kind == "table":
        return clause.text
    number = CLAUSE_NUMBER.match(clause.text)
    indent = " " * len(number[0]) if number else ""
    return textwrap.fill(clause.text, columns, subsequent_indent=indent, break_on_hyphens=False)


# --- player ---

NEXT_DEAL_PROMPT: Final = "-- Enter for the next deal -- "
RULES_COMMANDS: Final = frozenset({"?", "rules"})
QUIT_COMMANDS: Final = frozenset({"q", "quit", "exit", "bye"})


class HumanPlayer(Bot):
    """Asks at a terminal for each action; leaving raises KeyboardInterrupt, which the referee lets through.

    `get_deal` returns a deal of the match by its number, from 0.
    """

    def __init__(
        self, info: Info, terminal: Terminal, names: SeatNames, get_deal: Callable[[int], Deal]
    ) -> None:
        super().__init__(info)
        self._terminal = terminal
        self._names = names
        self._get_deal = get_deal
        self._text = get_family_text(info.rules)
        self._hint_bot = HintBot(info)
        self._deal_number = 0
        self._events_printed = 0
        """Number of events of this deal that have been printed."""
        self._announced_deal = -1

    def act(self, view: View) -> Action:
        self._announce(view.opening)
        self._print_news(view.past)
        self._print_screen(view)
        while True:
            typed = self._terminal.ask()
            if not self._run_command(typed.lower(), view):
                try:
                    return parse_input(typed, view)
                except InvalidNotation as error:
                    self._print_wrapped(str(error))

    def deal_over(self, result: dict[str, Any]) -> None:
        deal, seat = self._get_deal(self._deal_number), self.info.seat
        if seat in deal.opening.order:
            self._announce(deal.opening)
            self._print_news(drop_showdown(merge_events(deal.public, deal.private_events[seat]), deal))
            self._print_result(deal)
        else:
            self._print_summary(deal)
        self._deal_number += 1
        self._events_printed = 0

    # --- a decision ---

    def _run_command(self, typed: str, view: View) -> bool:
        """Run what was typed if it is a command, and return whether it was."""
        if typed in QUIT_COMMANDS:
            raise KeyboardInterrupt
        if typed in RULES_COMMANDS:
            self._page_rules()
        elif typed == "":
            self._print_screen(view)
        elif typed in ("h", "hint"):
            self._terminal.say(textwrap.indent(color_cards(self._hint_bot.hint(view)), "  "))
        elif typed == "log":
            self._events_printed = 0
            self._print_news(view.past)
        elif typed == "help":
            self._terminal.say(HELP)
        else:
            return False
        return True

    def _page_rules(self) -> None:
        self._terminal.page(format_rules(self.info.rules, self._terminal.columns))

    def _print_screen(self, view: View) -> None:
        prompt = click.style(color_cards(self._text.prompt(view, self._names)), bold=True)
        menu = format_menu(view, self._names, self._terminal.columns)
        sizes = [len(hand) for hand in self._get_deal(self._deal_number).hands]
        table = format_table(view, sizes, self._names, self._terminal.columns)
        self._terminal.say(f"\n{table}\n\n{prompt}\n{menu}")

    # --- what has happened ---

    def _announce(self, opening: Opening) -> None:
        if self._announced_deal != opening.number:
            self._announced_deal = opening.number
            dealer = f"{self._names[opening.dealer]} {self._names.conjugate(opening.dealer, 'deals')}"
            self._terminal.say()
            self._terminal.say(click.style(f"── Deal {opening.number + 1}: {dealer} ──", bold=True))

    def _print_news(self, events: list[Event]) -> None:
        """Print the events of the deal that have not been printed yet."""
        news = events[self._events_printed :]
        self._events_printed = len(events)
        if news:
            self._terminal.say()
        for event in news:
            seat, words = self._text.describe(event, self._names)
            name = "" if seat is None else self._names[seat]
            self._terminal.say(f"  {name:{self._names.width}}  {color_cards(words)}")

    # --- the end of a deal ---

    def _print_result(self, deal: Deal) -> None:
        say, opening = self._terminal.say, deal.opening
        assert deal.changes is not None
        say()
        say(click.style(f"Deal {opening.number + 1} is over", bold=True))
        say()
        rows = showdown_rows(deal, self._names.by_seat, self.info.seat)
        say("\n".join(align_rows(rows, self._terminal.columns, remarks=2)))
        if deal.changes.pool:
            say(f"  The pool holds {deal.changes.pool}.")
        settlement = opening.rules.settlement
        after = settlement.apply_changes(opening.holdings, deal.changes, opening.number)
        if not settlement.is_over(after, opening.number + 1):
            if after.went_out[self.info.seat] is None:
                self._wait_for_enter()
            else:
                say("\n  You are out; the others play on.\n")

    def _print_summary(self, deal: Deal) -> None:
        """Print in short how a deal between the other seats ended."""
        opening = deal.opening
        assert deal.changes is not None
        after = opening.rules.settlement.apply_changes(opening.holdings, deal.changes, opening.number)
        results = [
            (seat, format_outcome(deal.changes, after, seat, opening.number)) for seat in opening.order
        ]
        parts = [f"{self._names[seat]} {click.unstyle(result)}" for seat, result in results if result]
        self._print_wrapped(f"Deal {opening.number + 1}: {', '.join(parts) or 'nobody loses anything'}")

    def _print_wrapped(self, text: str) -> None:
        columns = self._terminal.columns
        self._terminal.say(textwrap.fill(text, columns, initial_indent="  ", subsequent_indent="  "))

    def _wait_for_enter(self) -> None:
        if self._terminal.is_interactive:
            self._terminal.say()
            while typed := self._terminal.ask(NEXT_DEAL_PROMPT).lower():
                if typed in QUIT_COMMANDS:
                    raise KeyboardInterrupt
                if typed not in RULES_COMMANDS:
                    return
                self._page_rules()


def format_table(view: View, sizes: Sequence[int], names: SeatNames, columns: int) -> str:
    """Return the seats in the order of turns with their holdings and known cards, then the table.

    `sizes` has the number of cards that each seat holds.
    """
    text = get_family_text(view.opening.rules)
    rows = [
        [
            str(seat),
            names[seat],
            format_holdings(view.holdings, seat),
            text.hand_text(view, seat) or format_known_hand(view, seat, sizes[seat]),
            text.seat_remarks(view, seat),
        ]
        for seat in view.order
    ]
    texts = align_rows([*rows, *text.table_rows(view)], columns, remarks=1)
    if view.seat in view.order:
        own = view.order.index(view.seat)
        texts[own] = click.style(">", bold=True) + texts[own][1:]
    return color_cards("\n".join(texts))


def format_known_hand(view: View, seat: int, size: int) -> str:
    """Return a hand of so many cards: those that the seat of the view knows, and `??` for the others."""
    if seat == view.seat:
        return format_cards(view.hand)
    known = view.known[seat] if view.known else ()
    return format_cards((*known, *[HIDDEN] * (size - len(known))))
