"""Views survive the way to a Python bot's process, which is sent each part of a deal once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import VARIANTS, Match, Rules, View, variant
from arena.play import Limits
from arena.play.bot_processes.msgpack_protocol import MatchEncoder, MsgpackProtocol, SymbolEncoder
from arena.plugins.games import load_game
from tests.play.bot_processes.hosted_matches import make_info
from tests.play.bot_processes.wire_bot_side import WireBotSide
from tests.strangers.loading import GOLF, forget_games, write_auction

LINKED = {"past", "public", "private", "opening"}
"""Attributes that are or have linked lists of events."""
BY_NAME = {rules.name: rules for rules in VARIANTS}


def to_bytes(view: View) -> bytes:
    """All that a view shows: its fields, properties and events, and the hands after its legal actions."""
    names = [name for name in dir(view) if name not in LINKED and name[0] != "_"]
    shown = {name: repr(value) for name in names if not callable(value := getattr(view, name))}
    past = [(event.number, event.seat, repr(event.action), event.text) for event in view.past]
    return msgspec.json.encode((shown, repr(view.opening), past, repr(view.hands_after())))


class Table:
    """Matches whose seats are each a process with the protocol of Python bots."""

    def __init__(self, rules: Rules, players: int, matches: int, symbols: SymbolEncoder) -> None:
        self.protocols = [MsgpackProtocol(symbols) for _ in range(players)]
        self.bots = [WireBotSide() for _ in range(players)]
        self.begins: list[list[Any]] = [[] for _ in range(players)]
        self.encoders = [MatchEncoder(symbols) for _ in range(matches)]
        self.rules = rules
        for seat in range(players):
            self.begin(seat)

    def begin(self, seat: int) -> None:
        """Begin all matches for the process in a seat."""
        for m, encoder in enumerate(self.encoders):
            info = make_info(self.rules, len(self.protocols), m, seat, Limits())
            self.begins[seat].append(self.protocols[seat].match(m, info, encoder))

    def restart(self, seat: int) -> None:
        """Replace the process in a seat."""
        self.protocols[seat].restart()
        self.bots[seat] = WireBotSide()
        self.begin(seat)

    def send(self, seat: int, requests: list[tuple[int, View]]) -> list[View]:
        """Return the views of these matches as the bot in that seat rebuilds them."""
        begins, self.begins[seat] = self.begins[seat], []
        frame = self.protocols[seat].encode(begins, [(m, view, "asker") for m, view in requests])
        return self.bots[seat].read(frame)


def play(rules: Rules, seed: str, decisions: int) -> Iterator[View]:
    """Yield the view at each of the first decisions of a match in which all play at random."""
    match, rng = rules.match(min(3, rules.players[-1]), seed), Random(seed)
    while not match.is_over and decisions:
        assert match.seat_to_act is not None
        view = match.view(match.seat_to_act)
        yield view
        match.apply(rng.choice(view.legal))
        decisions -= 1


def check_views(rules: Rules, seed: str, decisions: int) -> None:
    """Compare each view of a match with the rebuilt one, at once or only at the end."""
    table = Table(rules, min(3, rules.players[-1]), 1, SymbolEncoder())
    rng, later = Random(seed), list[tuple[View, View]]()
    for view in play(rules, seed, decisions):
        (rebuilt,) = table.send(view.seat, [(0, view)])
        if rng.random() < 0.5:
            assert to_bytes(rebuilt) == to_bytes(view)
        later.append((rebuilt, view))
    for rebuilt, view in later:
        assert to_bytes(rebuilt) == to_bytes(view)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_rebuilt_views_have_the_same_bytes(rules: Rules) -> None:
    check_views(rules, "a match", 40)


@pytest.mark.full
@settings(max_examples=400, database=None)
@given(st.sampled_from(sorted(BY_NAME)), st.text("abc", max_size=8))
def test_rebuilt_views_of_any_match_have_the_same_bytes(name: str, seed: str) -> None:
    check_views(BY_NAME[name], seed, 400)


def test_views_of_many_matches_in_one_message_have_the_same_bytes() -> None:
    rules, matches = variant("pounce"), 5
    table = Table(rules, 3, matches, SymbolEncoder())
    running: list[Match] = [rules.match(3, f"match {m}") for m in range(matches)]
    rng = Random(1)
    for _ in range(60):
        for seat in range(3):
            asked = [(m, match.view(seat)) for m, match in enumerate(running) if match.seat_to_act == seat]
            for (m, view), rebuilt in zip(asked, table.send(seat, asked), strict=True):
                assert to_bytes(rebuilt) == to_bytes(view)
                running[m].apply(rng.choice(view.legal))


def test_process_that_restarts_is_sent_the_deal_from_its_beginning() -> None:
    rules = variant("bastard-brag")
    table = Table(rules, 3, 1, SymbolEncoder())
    for number, view in enumerate(play(rules, "a match", 30)):
        if number % 7 == 6:
            table.restart(view.seat)
        (rebuilt,) = table.send(view.seat, [(0, view)])
        assert to_bytes(rebuilt) == to_bytes(view)


def test_events_are_sent_once() -> None:
    """The bytes sent in a deal grow with its events, not with their square."""
    rules = variant("lives")
    match, table = rules.match(2, "a match"), Table(rules, 2, 1, SymbolEncoder())
    sizes: list[int] = []
    for _ in range(39):
        view = match.view(match.deal.opening.order[len(sizes) % 2])
        begins, table.begins[view.seat] = table.begins[view.seat], []
        sizes.append(len(table.protocols[view.seat].encode(begins, [(0, view, "asker")])))
        match.apply(view.legal[0])  # an exchange
    assert not match.deal.opening.number
    assert max(sizes[20:]) < max(sizes[4:20]) + 8  # numbers of actions differ in length


def test_process_keeps_nothing_of_finished_deals() -> None:
    rules = variant("lives")
    table = Table(rules, 3, 1, SymbolEncoder())
    longest = 0
    for view in play(rules, "a match", 200):
        table.send(view.seat, [(0, view)])
        deal = table.bots[view.seat].seats[0].deal
        assert deal.opening.number == view.deal
        longest = max(longest, view.deal)
        assert len(deal.public.received) <= len(view.past)
    assert longest > 2


def test_views_of_a_game_in_a_file_have_the_same_bytes() -> None:
    with forget_games():
        check_views(load_game(str(GOLF)), "a match", 60)


def test_a_view_in_another_process_has_the_cover_of_a_hidden_choice(tmp_path: Path) -> None:
    with forget_games():
        rules = load_game(str(write_auction(tmp_path)))
        check_views(rules, "a match", 20)
        table, match = Table(rules, 2, 1, SymbolEncoder()), rules.match(2, "sealed")
        match.apply(match.parse("bid 5"))
        view = match.view(match.seat_to_act or 0)
        (rebuilt,) = table.send(view.seat, [(0, view)])
        assert [event.text for event in rebuilt.past] == [f"{1 - view.seat}:bid ??"]
