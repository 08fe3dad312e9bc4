"""A person at a seat: a bot whose decisions are asked for at a terminal."""

import textwrap
from collections.abc import Callable
from typing import Any, Final

import click
import msgspec

from arena.errors import InvalidNotation
from arena.games import Opening, Rules, View
from arena.games.action import Action
from arena.games.cox.rules import CoxRules
from arena.games.cox.view import supply_base_numbers
from arena.games.hands import HandRank
from arena.games.settlement.base import Changes, Holdings
from arena.interactive.action_menu import format_menu
from arena.interactive.event_text import describe_event
from arena.interactive.hints import HintBot
from arena.interactive.input_parser import parse_input
from arena.interactive.prompts import ask_prompt
from arena.interactive.rule_page import rule_page
from arena.interactive.seat_names import SeatNames
from arena.interactive.table_view import table_text
from arena.interactive.terminal import Terminal
from arena.play import Bot, Info
from arena.report.card_colors import color_cards
from arena.report.hand_text import rank_if_known
from arena.report.showdown import format_outcome, showdown_rows
from arena.report.terminal_layout import align_columns

HELP: Final = """\
  a number, or the notation: in capitals or not, and as short as it is clear
  Enter   the table again        h      what a good bot would do
  log     this deal so far       ?      the rules
  quit    leave the table (as do Ctrl-D and Ctrl-C); finished deals are kept"""
NEXT_DEAL: Final = "-- Enter for the next deal -- "
RULES: Final = frozenset({"?", "rules"})
LEAVING: Final = frozenset({"q", "quit", "exit", "bye"})


class HumanPlayer(Bot):
    """Asks a terminal what to do; leaving it is a KeyboardInterrupt, which the referee lets through.

    `openings` gives a deal's opening by its number: how it begins, as everybody may know it.
    """

    def __init__(
        self, info: Info, terminal: Terminal, names: SeatNames, openings: Callable[[int], Opening]
    ) -> None:
        super().__init__(info)
        self._terminal = terminal
        self._names = names
        self._openings = openings
        self._adviser = HintBot(info)
        self._deal = 0
        self._events: list[str] = []
        """What has happened in this deal."""
        self._read = 0
        """How many of them the person has been told."""
        self._greeted = -1
        """The last deal that was announced."""

    def observe(self, event: str) -> None:
        self._events.append(event)

    def act(self, view: View) -> Action:
        self._announce(view.opening)
        self._tell_news(len(self._events))
        self._show(view)
        while True:
            typed = self._terminal.ask()
            if not self._answered(typed.lower(), view):
                try:
                    return parse_input(typed, view)
                except InvalidNotation as error:
                    self._say_within(str(error))

    def deal_over(self, result: dict[str, Any]) -> None:
        opening = self._openings(self._deal)
        if self.info.seat in opening.order:
            self._announce(opening)
            self._tell_news(len(self._events) - self._shown_at_the_end(opening))
        self._tell_end(opening, result)
        self._deal += 1
        self._events, self._read = [], 0

    # --- a decision ---

    def _answered(self, typed: str, view: View) -> bool:
        """Whether what was typed is a wish of another kind, and has been met."""
        if typed in LEAVING:
            raise KeyboardInterrupt
        say = self._terminal.say
        match typed:
            case "":
                self._show(view)
            case _ if typed in RULES:
                self._page_rules()
            case "h" | "hint":
                say(textwrap.indent(color_cards(self._adviser.hint(view)), "  "))
            case "log":
                self._read = 0
                self._tell_news(len(self._events))
            case "help":
                say(HELP)
            case _:
                return False
        return True

    def _page_rules(self) -> None:
        self._terminal.page(rule_page(self.info.rules, self._terminal.columns))

    def _show(self, view: View) -> None:
        say = self._terminal.say
        say()
        say(table_text(view, self._names))
        say()
        say(f"{click.style(color_cards(ask_prompt(view, self._names)), bold=True)}")
        say(format_menu(view, self._names, self._terminal.columns))

    # --- what has happened ---

    def _announce(self, opening: Opening) -> None:
        if self._greeted == opening.number:
            return
        self._greeted = opening.number
        dealer = opening.dealer
        deals = f"{self._names[dealer]} {self._names.says(dealer, 'deals')}"
        self._terminal.say()
        self._terminal.say(click.style(f"── Deal {opening.number + 1}: {deals} ──", bold=True))

    def _tell_news(self, until: int) -> None:
        news = self._events[self._read : until]
        self._read = max(self._read, until)
        if news:
            self._terminal.say()
        for event in news:
            self._terminal.say(f"  {color_cards(describe_event(event, self._names, self.info.rules.family))}")

    def _shown_at_the_end(self, opening: Opening) -> int:
        """How many of the last events are the hands of all, which are told in another way."""
        hands = len(opening.order)
        last = self._events[-hands:]
        return hands if all(event.startswith("show ") for event in last) and len(last) == hands else 0

    # --- the end of a deal ---

    def _tell_end(self, opening: Opening, result: dict[str, Any]) -> None:
        changes = msgspec.convert(result, Changes)
        settlement, own = opening.rules.settlement, self.info.seat
        after = settlement.apply_changes(opening.holdings, changes, opening.number)
        if own not in opening.order:
            self._tell_in_short(opening, changes, after)
            return
        self._tell_showdown(opening, changes, result["hands"])
        if not settlement.is_over(after, opening.number + 1):
            if after.went_out[own] is None:
                self._pause()
            else:
                self._terminal.say("\n  You are out; the others play on.\n")

    def _tell_showdown(self, opening: Opening, changes: Changes, hands: list[str | None]) -> None:
        say = self._terminal.say
        shown = {seat: hands[seat] or "" for seat in opening.order}
        ranks = {seat: _rank(opening, seat, hand) for seat, hand in shown.items()}
        say()
        say(click.style(f"Deal {opening.number + 1} is over", bold=True))
        say()
        say(align_columns(showdown_rows(opening, shown, ranks, changes, self._names.by_seat)))
        if changes.pool:
            say(f"  The pool holds {changes.pool}.")

    def _tell_in_short(self, opening: Opening, changes: Changes, after: Holdings) -> None:
        """A deal of the others in a line or two."""
        outcomes = [(seat, format_outcome(changes, after, seat, opening.number)) for seat in opening.order]
        told = [f"{self._names[seat]} {click.unstyle(found)}" for seat, found in outcomes if found]
        self._say_within(f"Deal {opening.number + 1}: {', '.join(told) or 'nobody loses anything'}")

    def _say_within(self, text: str) -> None:
        """Prints a text of any length within the window."""
        self._terminal.say(
            textwrap.fill(text, self._terminal.columns, initial_indent="  ", subsequent_indent="  ")
        )

    def _pause(self) -> None:
        if self._terminal.paced:
            self._terminal.say()
            while typed := self._terminal.ask(NEXT_DEAL).lower():
                if typed in LEAVING:
                    raise KeyboardInterrupt
                if typed not in RULES:
                    return
                self._page_rules()


def _rank(opening: Opening, seat: int, hand: str) -> HandRank | None:
    """What a hand is worth that is told as text."""
    rules: Rules = opening.rules
    if isinstance(rules, CoxRules):
        number = supply_base_numbers(opening.players, opening.dealer)[seat]
        points = rules.score_text(hand, number).points
        return HandRank(points, (), "points", points)
    return rank_if_known(rules, rules.whole_pack.parse(hand))
