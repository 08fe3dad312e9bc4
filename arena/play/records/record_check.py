"""Records checked: each deal dealt again and each action played again through the rule book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from arena.errors import ArenaError, RecordError
from arena.games import Deal, Match, Opening, Rules, variant
from arena.games.cards import Card, Hand
from arena.games.match import active_seats
from arena.games.notation import format_cards
from arena.games.settlement.base import Holdings
from arena.games.stock import RecordedStock
from arena.play.records.record_schema import (
    DealRecord,
    MatchRecord,
    StartRecord,
    decode_record,
    encode_record,
)


class CheckedTotals(NamedTuple):
    """What was played again and found true."""

    matches: int
    deals: int
    actions: int


def check_record(record: dict[str, Any]) -> CheckedTotals:
    """Plays a record again.

    Raises: RecordError with the deal and action (counted from 1) and what is wrong there.
    """
    return _check(decode_record(encode_record(record)))


def check_lines(name: str, lines: Iterable[bytes]) -> CheckedTotals:
    """Plays the records of a file again, one a line; empty lines are passed over.

    Raises: RecordError with the name, line, deal and action (counted from 1) and what is wrong there.
    """
    matches = deals = actions = 0
    for number, line in enumerate(lines, 1):
        if line.isspace():
            continue
        with _at(f"{name}, line {number}"):
            checked = _check(decode_record(line))
        matches, deals, actions = matches + 1, deals + checked.deals, actions + checked.actions
    return CheckedTotals(matches, deals, actions)


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Says where it was that something went wrong."""
    try:
        yield
    except ArenaError as error:
        raise RecordError(f"{place}: {error}") from None


def _check(told: MatchRecord) -> CheckedTotals:
    past = replay_record(told)
    return CheckedTotals(1, len(past), sum(len(deal.log) for deal in past))


def replay_record(told: MatchRecord) -> list[Deal]:
    """The deals of a match, played again as a record tells it.

    Raises: RecordError with the deal and action (counted from 1) and what is wrong there.
    """
    with _at("variant"):
        rules = variant(told.variant, **told.options)
        if told.players not in rules.players:
            raise RecordError(f"{rules} is for 2 to {rules.players[-1]} players, not {told.players}")
    with _at("start"):
        replay = Replay(rules, told.players, _start(rules, told.players, told.start), told.seed)
    for number, deal in enumerate(told.deals, 1):
        with _at(f"deal {number}"):
            replay.check_deal(deal)
    replay.check_end(told)
    return replay.past


class Replay:
    """A match that is played again as a record tells it."""

    def __init__(self, rules: Rules, players: int, start: Holdings, seed: str | None) -> None:
        self._rules = rules
        self._players = players
        self._start = self._holdings = start
        self._seeded = None if seed is None else rules.match(players, seed, start)
        """What the seed says: the same match, played beside."""
        self._dealer: int | None = None
        self._number = 0
        self._is_over = False
        self.past: list[Deal] = []

    def check_deal(self, told: DealRecord) -> None:
        """Plays the next deal.

        Raises: RecordError if it is not as told.
        """
        if self._is_over:
            raise RecordError("the match was over before it")
        deal = self._deal(told)
        if self._seeded:
            _check_cards(self._seeded, deal)
        _play(deal, told.actions)
        if self._seeded:
            _check_stock(self._seeded, deal)
        self._settle(deal, told)

    def check_end(self, told: MatchRecord) -> None:
        """Compares what is told of the match as a whole.

        Raises: RecordError if it is not so.
        """
        settlement = self._rules.settlement
        for name, said, found in (
            ("payoffs", told.payoffs, settlement.payoffs(self._holdings, self._start)),
            ("placings", told.placings, settlement.placings(self._holdings)),
        ):
            if said is not None and tuple(said) != found:
                raise RecordError(f"the {name} are {list(found)}, not {said}")
        if told.bots is not None and len(told.bots) != self._players:
            raise RecordError(f"bots: {len(told.bots)} for {self._players} seats")
        for fault in told.faults:
            if fault.seat not in range(self._players) or fault.deal not in range(self._number):
                raise RecordError(f"faults: there is no deal {fault.deal} with a seat {fault.seat}")

    def _deal(self, told: DealRecord) -> Deal:
        """The deal with its cards: each seat has as many as it should, and none stands too often."""
        opening, rules = self._opening(told), self._rules
        left = list(rules.whole_pack.cards)
        if len(told.hands) != self._players:
            raise RecordError(f"hands: {len(told.hands)} for {self._players} seats")
        hands = []
        for seat, text in enumerate(told.hands):
            with _at(f"the hand of seat {seat}"):
                if (text is None) == (seat in opening.order):
                    raise RecordError("it is in this deal" if text is None else "it is not in this deal")
                hands.append(() if text is None else _taken(rules, text, rules.hand_size, left))
        with _at("the table"):
            table = _taken(rules, told.table, rules.table_size, left)
        with _at("the stock"):
            stock = RecordedStock(tuple(left), rules.whole_pack.parse(told.stock))
            return rules.deal(opening, hands, table, stock)

    def _opening(self, told: DealRecord) -> Opening:
        """How the deal opens, if it is this seat's to deal."""
        step, went_out, dealer = self._rules.step, self._holdings.went_out, told.dealer
        if dealer not in range(self._players) or went_out[dealer] is not None:
            raise RecordError(f"seat {dealer} cannot deal, it is not in")
        roles = self._roles(told)
        if not roles and self._dealer is not None:
            due = active_seats(self._dealer, step, went_out)[0]
            if dealer != due:
                raise RecordError(f"it is for seat {due} to deal, not for seat {dealer}")
        order = active_seats(dealer, step, went_out)
        return Opening(self._rules, self._players, self._number, dealer, order, self._holdings, roles)

    def _roles(self, told: DealRecord) -> tuple[int, ...]:
        """The seats that have the roles of the rules, the first of them the dealer's."""
        names = self._rules.roles
        if told.roles.keys() != set(names):
            raise RecordError(f"roles: there are {', '.join(names) or 'none'}")
        roles = tuple([told.roles[name] for name in names])
        if any(seat not in range(self._players) for seat in roles):
            raise RecordError(f"roles: there are {self._players} seats")
        if roles and roles[0] != told.dealer:
            raise RecordError(f"the {names[0]} deals, seat {roles[0]}")
        return roles

    def _settle(self, deal: Deal, told: DealRecord) -> None:
        """Compares how the deal ended."""
        assert deal.changes is not None
        if format_cards(deal.recorded_stock) != " ".join(told.stock.split()):
            raise RecordError(f"the stock: {format_cards(deal.recorded_stock) or 'nothing'} came from it")
        result = deal.changes.result()
        if result != told.result:
            raise RecordError(f"the result is {result}, not {told.result}")
        settlement = self._rules.settlement
        self._holdings = settlement.apply_changes(self._holdings, deal.changes, self._number)
        self._dealer = deal.opening.dealer
        self._number += 1
        self._is_over = settlement.is_over(self._holdings, self._number)
        self.past.append(deal)


def _start(rules: Rules, players: int, told: StartRecord | msgspec.UnsetType) -> Holdings:
    """What everybody holds before the first deal."""
    usual = rules.settlement.initial_holdings(players)
    given: dict[str, Any] = {}
    if told is msgspec.UNSET:
        return usual
    for key, value in msgspec.structs.asdict(told).items():
        if value is not None:
            if getattr(usual, key) is None:
                raise RecordError(f"{rules} is not played for {key}")
            if isinstance(value, list) and len(value) != players:
                raise RecordError(f"{key}: {len(value)} for {players} seats")
            given[key] = tuple(value) if isinstance(value, list) else value
    out = [held < rules.settlement.min_tokens for held in given.get("tokens", ())]
    if out and out.count(False) < 2:
        raise RecordError(f"with tokens {told.tokens} the match is over")
    if any(out):
        given |= {"went_out": tuple([-1 if gone else None for gone in out]), "horse": False}
    return msgspec.structs.replace(usual, **given)


def _taken(rules: Rules, text: str, size: int, left: list[Card]) -> Hand:
    """The cards that are written so, taken from what is left of the pack."""
    cards = rules.whole_pack.parse(text)
    if len(cards) != size:
        raise RecordError(f"{len(cards)} cards, not {size}")
    for one in cards:
        if one not in left:
            raise RecordError(f"{one} has been dealt already")
        left.remove(one)
    return cards


def _play(deal: Deal, actions: Sequence[str]) -> None:
    """Plays what was done: all of it is legal, and the deal is over with the last of it, not before."""
    for number, told in enumerate(actions, 1):
        with _at(f"action {number}, {told[:80]!r}"):
            seat, _, text = told.partition(":")
            if deal.to_act is None:
                raise RecordError("the deal was over before it")
            if seat != str(deal.to_act):
                raise RecordError(f"it is for seat {deal.to_act} to act")
            deal.apply(deal.view(deal.to_act).parse(text))
    if deal.to_act is not None:
        raise RecordError(f"it is not over after its last action, seat {deal.to_act} is to act")


def _check_cards(seeded: Match, deal: Deal) -> None:
    """Compares what was dealt with what the seed deals."""
    said = _of_that_number(seeded, deal)
    if said.opening.dealer != deal.opening.dealer:
        raise RecordError(f"the seed makes seat {said.opening.dealer} the dealer")
    if said.recorded_roles != deal.recorded_roles:
        raise RecordError(f"the seed draws {said.recorded_roles}")
    for seat, (due, told) in enumerate(zip(said.dealt, deal.dealt, strict=True)):
        if due != told:
            raise RecordError(
                f"the hand of seat {seat}: the seed deals {format_cards(due)}, not {format_cards(told)}"
            )
    if said.table_dealt != deal.table_dealt:
        raise RecordError(f"the table: the seed deals {format_cards(said.table_dealt)}")


def _check_stock(seeded: Match, deal: Deal) -> None:
    """Plays the same on what the seed has dealt, and compares what came from the stock."""
    said = _of_that_number(seeded, deal)
    for code in deal.action_indices if said is seeded.deal else ():
        if code >= len(said.legal_actions.actions):
            break
        seeded.apply(said.legal_actions.actions[code])
    if said.to_act is not None or said.recorded_stock != deal.recorded_stock:
        due, found = format_cards(said.recorded_stock), format_cards(deal.recorded_stock)
        raise RecordError(f"the stock: the seed deals {due}, not {found}")


def _of_that_number(match: Match, deal: Deal) -> Deal:
    """The match's own deal of the same number; one in which nobody was asked is over already."""
    number = deal.opening.number
    return match.finished_deals[number] if number < len(match.finished_deals) else match.deal
