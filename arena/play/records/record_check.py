"""Check records: replay each deal and each action by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import msgspec

from arena.errors import ArenaError, RecordError, UnknownVariant
from arena.games import Deal, Match, Opening, Rules, variant
from arena.games.action import format_cards
from arena.games.cards import Card, Hand
from arena.games.match import active_seats
from arena.games.settlement.holdings import Holdings
from arena.games.stock import RecordedStock
from arena.play.records.match_to_record import describe_game
from arena.play.records.record_schema import (
    DealRecord,
    GameRecord,
    MatchRecord,
    decode_record,
    encode_record,
)

SHOWN_DIGITS: Final = 8


class CheckedTotals(NamedTuple):
    """Numbers of what was replayed without an error."""

    matches: int
    deals: int
    actions: int


def check_record(record: dict[str, Any]) -> CheckedTotals:
    """Replay a record.

    Args:
        record: As `play_match` returns it, or made by hand.

    Returns:
        The numbers of matches (1), deals and actions.

    Raises:
        RecordError: Something is wrong; it has the deal and action.

    Example:
        >>> from arena import play_match, variant
        >>> from arena.games import View
        >>> class First:
        ...     def act(self, view: View) -> str:
        ...         return view.text(view.legal[0])
        >>> check_record(play_match(variant("cuccu"), [First, First], seed="any text")).matches
        1
    """
    return _check(decode_record(encode_record(record)))


def check_lines(name: str, lines: Iterable[bytes], first: int = 1) -> CheckedTotals:
    """Replay the records of a file, one a line, the first with that number; empty lines are skipped.

    Raises:
        RecordError: Something is wrong; it has the name as path, the line, deal and action.
    """
    matches = deals = actions = 0
    for number, line in enumerate(lines, first):
        if line.isspace():
            continue
        with locate_errors(f"{name}, line {number}", path=name, line=number):
            checked = _check(decode_record(line))
        matches, deals, actions = matches + 1, deals + checked.deals, actions + checked.actions
    return CheckedTotals(matches, deals, actions)


@contextmanager
def locate_errors(place: str, **location: Any) -> Iterator[None]:
    """Raise errors again as RecordErrors, with the place before their message and the location added."""
    try:
        yield
    except ArenaError as error:
        raise RecordError(f"{place}: {error}", **{**location, **error.location}) from None


def _check(record: MatchRecord) -> CheckedTotals:
    deals = replay_record(record)
    return CheckedTotals(1, len(deals), sum(len(deal.log) for deal in deals))


def replay_record(record: MatchRecord) -> list[Deal]:
    """Return the finished deals of a recorded match.

    Raises:
        RecordError: Something is wrong; it has the deal and action.
    """
    with locate_errors("variant"):
        rules = find_recorded_rules(record)
        if record.players not in rules.players:
            raise RecordError(f"{rules} is for {rules.player_range}, not {record.players}")
    with locate_errors("start"):
        replay = _Replay(rules, record.players, _initial_holdings(rules, record), record.seed)
    for number, deal in enumerate(record.deals, 1):
        with locate_errors(f"deal {number}", deal=number):
            replay.check_deal(deal)
    replay.check_end(record)
    return replay.deals


def find_recorded_rules(record: MatchRecord) -> Rules:
    """Return the rules that a record names; a game in a file must have been loaded.

    Raises:
        RecordError: If another version of the game was recorded.
        UnknownVariant: If no variant has the recorded name.
        UnknownOption: If it has no such option, or not with that value.
    """
    try:
        rules = variant(record.variant, **record.options)
    except UnknownVariant as error:
        if record.game is msgspec.UNSET:
            raise
        raise RecordError(
            f"{record.variant} is not one of the arena's own games: if you have and trust its code, load it "
            f"by `arena --trust-game PATH …`, or `load_game` in Python"
        ) from error
    here = describe_game(rules)
    if record.game is not msgspec.UNSET and here != record.game:
        known = "the arena's own game" if here is msgspec.UNSET else _format_game(here)
        raise RecordError(
            f"it was played with {_format_game(record.game)}, and {rules} is {known} here: put back the code "
            "that it was played with (an archive of `arena publish` has it in games), or play again"
        )
    return rules


def _format_game(game: GameRecord) -> str:
    return f"version {game.version} of its rules, code {game.sha256[:SHOWN_DIGITS]}"


class _Replay:
    """The replay of a match, deal by deal."""

    def __init__(self, rules: Rules, players: int, start: Holdings, seed: str | None) -> None:
        self._rules = rules
        self._players = players
        self._start = self._holdings = start
        self._seeded = None if seed is None else rules.match(players, seed, start)
        """The same match as the seed deals it, played in parallel."""
        self._dealer: int | None = None
        self._number = 0
        self._is_over = False
        self.deals: list[Deal] = []

    def check_deal(self, record: DealRecord) -> None:
        """Replay the next deal; raises RecordError if it differs from its record."""
        if self._is_over:
            raise RecordError("the match was over before it")
        deal = self._deal(record)
        if self._seeded:
            _check_cards(self._seeded, deal)
        _play(deal, record.actions)
        if self._seeded:
            _check_stock(self._seeded, deal)
        self._settle(deal, record)

    def check_end(self, record: MatchRecord) -> None:
        """Compare payoffs, placings, bots and faults; raises RecordError if they differ."""
        settlement = self._rules.settlement
        for name, recorded, expected in (
            ("payoffs", record.payoffs, settlement.payoffs(self._holdings, self._start)),
            ("placings", record.placings, settlement.placings(self._holdings, self._start)),
        ):
            if recorded is not None and tuple(recorded) != expected:
                raise RecordError(f"the {name} are {list(expected)}, not {recorded}")
        if record.bots is not None and len(record.bots) != self._players:
            raise RecordError(f"bots: {len(record.bots)} for {self._players} seats")
        for fault in record.faults:
            if fault.seat not in range(self._players) or fault.deal not in range(self._number):
                raise RecordError(f"faults: there is no deal {fault.deal} with a seat {fault.seat}")

    def _deal(self, record: DealRecord) -> Deal:
        """Return the deal before its first action, after checking the cards of each seat."""
        opening, rules = self._opening(record), self._rules
        left = list(rules.whole_pack.cards)
        if len(record.hands) != self._players:
            raise RecordError(f"hands: {len(record.hands)} for {self._players} seats")
        hands = []
        for seat, text in enumerate(record.hands):
            with locate_errors(f"the hand of seat {seat}"):
                if (text is None) == (seat in opening.order):
                    raise RecordError("it is in this deal" if text is None else "it is not in this deal")
                hands.append(() if text is None else _take(rules, text, rules.hand_size, left))
        with locate_errors("the table"):
            table = _take(rules, record.table or "", rules.table_size, left)
        with locate_errors("the stock"):
            stock = RecordedStock(tuple(left), rules.whole_pack.parse(record.stock))
            return rules.deal(opening, hands, table, stock)

    def _opening(self, record: DealRecord) -> Opening:
        """Return the opening of the deal, after checking that it is the recorded dealer's turn."""
        step, went_out, dealer = self._rules.step, self._holdings.went_out, record.dealer
        if dealer not in range(self._players) or went_out[dealer] is not None:
            raise RecordError(f"seat {dealer} cannot deal, it is not in")
        roles = self._roles(record)
        if not roles and self._dealer is not None:
            due = active_seats(self._dealer, step, went_out)[0]
            if dealer != due:
                raise RecordError(f"it is for seat {due} to deal, not for seat {dealer}")
        order = active_seats(dealer, step, went_out)
        return Opening(self._rules, self._players, self._number, dealer, order, self._holdings, roles)

    def _roles(self, record: DealRecord) -> tuple[int, ...]:
        """Return the seats that have the roles of the rules; the first role deals."""
        names = self._rules.roles
        if record.roles.keys() != set(names):
            raise RecordError(f"roles: there are {', '.join(names) or 'none'}")
        roles = tuple([record.roles[name] for name in names])
        if any(seat not in range(self._players) for seat in roles):
            raise RecordError(f"roles: there are {self._players} seats")
        if roles and roles[0] != record.dealer:
            raise RecordError(f"the {names[0]} deals, seat {roles[0]}")
        return roles

    def _settle(self, deal: Deal, record: DealRecord) -> None:
        """Compare how the deal ended, and apply its result."""
        assert deal.changes is not None
        if format_cards(deal.recorded_stock) != " ".join(record.stock.split()):
            raise RecordError(f"the stock: {format_cards(deal.recorded_stock) or 'nothing'} came from it")
        result = deal.changes.result()
        if result != record.result and result != {"pool": 0, **record.result}:
            raise RecordError(f"the result is {result}, not {record.result}")
        settlement = self._rules.settlement
        self._holdings = settlement.apply_changes(self._holdings, deal.changes, self._number)
        self._dealer = deal.opening.dealer
        self._number += 1
        self._is_over = settlement.is_over(self._holdings, self._number)
        self.deals.append(deal)


def _initial_holdings(rules: Rules, record: MatchRecord) -> Holdings:
    usual = rules.settlement.initial_holdings(record.players)
    given: dict[str, Any] = {}
    if record.start is msgspec.UNSET:
        return usual
    for key, value in msgspec.structs.asdict(record.start).items():
        if value is not None:
            if getattr(usual, key) is None:
                raise RecordError(f"{rules} is not played for {key}")
            if isinstance(value, list) and len(value) != record.players:
                raise RecordError(f"{key}: {len(value)} for {record.players} seats")
            given[key] = tuple(value) if isinstance(value, list) else value
    out = [held < rules.settlement.min_tokens for held in given.get("tokens", ())]
    if out and out.count(False) < 2:
        raise RecordError(f"with tokens {record.start.tokens} the match is over")
    if any(out):
        given |= {"went_out": tuple([-1 if gone else None for gone in out]), "horse": False}
    return msgspec.structs.replace(usual, **given)


def _take(rules: Rules, text: str, size: int, left: list[Card]) -> Hand:
    """Return the cards written as `text`, and remove them from what is left of the pack."""
    cards = rules.whole_pack.parse(text)
    if len(cards) != size:
        raise RecordError(f"{len(cards)} cards, not {size}")
    for card in cards:
        if card not in left:
            raise RecordError(f"{card} has been dealt already")
        left.remove(card)
    return cards


def _play(deal: Deal, actions: Sequence[str]) -> None:
    """Play the recorded actions: each must be legal, and the deal must end with the last."""
    for number, recorded in enumerate(actions, 1):
        with locate_errors(f"action {number}, {recorded[:80]!r}", action=number):
            seat, _, text = recorded.partition(":")
            if deal.to_act is None:
                raise RecordError("the deal was over before it")
            if seat != str(deal.to_act):
                raise RecordError(f"it is for seat {deal.to_act} to act")
            deal.apply(deal.view(deal.to_act).parse(text))
    if deal.to_act is not None:
        raise RecordError(f"it is not over after its last action, seat {deal.to_act} is to act")


def _check_cards(seeded: Match, deal: Deal) -> None:
    """Compare the cards with those the seed deals."""
    expected = _same_deal(seeded, deal)
    if expected.opening.dealer != deal.opening.dealer:
        raise RecordError(f"the seed makes seat {expected.opening.dealer} the dealer")
    if expected.recorded_roles != deal.recorded_roles:
        raise RecordError(f"the seed draws {expected.recorded_roles}")
    for seat, (due, dealt) in enumerate(zip(expected.dealt, deal.dealt, strict=True)):
        if due != dealt:
            raise RecordError(
                f"the hand of seat {seat}: the seed deals {format_cards(due)}, not {format_cards(dealt)}"
            )
    if expected.table_dealt != deal.table_dealt:
        raise RecordError(f"the table: the seed deals {format_cards(expected.table_dealt)}")


def _check_stock(seeded: Match, deal: Deal) -> None:
    """Play the same actions on the cards the seed deals, and compare the cards from the stock."""
    expected = _same_deal(seeded, deal)
    for code in deal.action_indices if expected is seeded.deal else ():
        if code >= len(expected.legal_actions.actions):
            break
        seeded.apply(expected.legal_actions.actions[code])
    if expected.to_act is not None or expected.recorded_stock != deal.recorded_stock:
        due, recorded = format_cards(expected.recorded_stock), format_cards(deal.recorded_stock)
        raise RecordError(f"the stock: the seed deals {due}, not {recorded}")


def _same_deal(match: Match, deal: Deal) -> Deal:
    """Return the deal of the same number in another match; without decisions it is finished already."""
    number = deal.opening.number
    return match.finished_deals[number] if number < len(match.finished_deals) else match.deal
