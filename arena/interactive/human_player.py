"""A person as a bot: each decision is asked for at a terminal."""

import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Final

import click

from arena.errors import InvalidNotation
from arena.games import Deal, Opening, View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.games.events import Event, merge_events
from arena.games.notation_writer import format_cards
from arena.interactive.action_menu import format_menu
from arena.interactive.help_text import HELP, format_rules
from arena.interactive.hints import HintBot
from arena.interactive.input_parser import parse_input
from arena.interactive.terminal import Terminal
from arena.output.words.cards import (
    SeatNames,
    color_cards,
    drop_showdown,
    format_holdings,
    format_outcome,
    get_family_text,
    showdown_rows,
)
from arena.output.words.terminal_layout import align_rows
from arena.play import Bot, Info

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
