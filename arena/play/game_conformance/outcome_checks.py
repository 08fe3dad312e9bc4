"""Checks of a finished match: placings, payoffs and its record."""

from __future__ import annotations

from collections.abc import Iterator

from arena.errors import ArenaError
from arena.games import Match
from arena.games.seat_calculations import compute_placings
from arena.games.settlement.holdings import Holdings
from arena.play.game_conformance.findings import Problem
from arena.play.game_conformance.random_match import MatchLog
from arena.play.records.record_builder import to_record
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import decode_record, encode_record


def check_outcome(match: Match) -> Iterator[Problem]:
    """Check that placings and payoffs follow from what the deals have changed."""
    rules, placings, payoffs = match.rules, match.placings, match.payoffs
    settlement = rules.settlement
    holdings = match.start
    for deal in match.finished_deals:
        assert deal.changes is not None
        holdings = settlement.apply_changes(holdings, deal.changes, deal.opening.number)
    if holdings != match.holdings:
        yield Problem(
            "outcome", f"the changes of the deals lead to {holdings}, the match has {match.holdings}"
        )
    if len(payoffs) != match.players or len(placings) != match.players:
        yield Problem("outcome", f"{match.players} players have payoffs {payoffs} and placings {placings}")
        return
    if tuple(compute_placings([(-place,) for place in placings])) != tuple(placings):
        yield Problem("outcome", f"placings {placings}: 1 is best, ties share the better number: (1, 1, 3)")
    for seat, payoff in enumerate(payoffs):
        for other, place in enumerate(placings):
            if placings[seat] < place and payoff < payoffs[other]:
                yield Problem(
                    "outcome",
                    f"seat {seat} is placed {placings[seat]} with payoff {payoff}, "
                    f"seat {other} is placed {place} with payoff {payoffs[other]}",
                )
                return
    yield from check_sums(match)


def check_sums(match: Match) -> Iterator[Problem]:
    """Check that the deals' payoffs make up the match's, and that nothing is won that nobody lost."""
    settlement, payoffs = match.rules.settlement, match.payoffs
    before = settlement.payoffs(match.start, match.start)
    totals = list(before)
    for deal in match.finished_deals:
        assert deal.changes is not None
        for seat, payoff in enumerate(settlement.deal_payoffs(deal.changes)):
            totals[seat] += payoff
    if tuple(totals) != tuple(payoffs):
        yield Problem(
            "outcome", f"the payoffs of the deals add up to {tuple(totals)}, the match's are {payoffs}"
        )
    if settlement.is_zero_sum and sum(payoffs) != 0:
        yield Problem(
            "zero-sum", f"payoffs {payoffs} add up to {sum(payoffs)}, and the settlement says is_zero_sum"
        )
    for deal in match.finished_deals:
        held, began = deal.holdings, deal.opening.holdings
        if count_money(held) != count_money(began):
            yield Problem(
                "zero-sum",
                f"in deal {deal.opening.number} chips and pool add up to {count_money(began)} at first "
                f"and {count_money(held)} at the end",
            )
            return
    if count_money(match.holdings) != count_money(match.start):
        yield Problem(
            "zero-sum",
            f"chips and pool add up to {count_money(match.start)} before the match and "
            f"{count_money(match.holdings)} after it: {match.holdings}",
        )


def count_money(holdings: Holdings) -> int:
    """Return the chips of all seats and the pool."""
    chips = 0 if holdings.chips is None else sum(holdings.chips)
    return chips + (holdings.pool or 0)


def check_record(log: MatchLog) -> Iterator[Problem]:
    """Check that the match's record, written and read, replays by the rules to the same result."""
    match = log.match
    assert match is not None
    bots = [f"seat{seat}" for seat in range(match.players)]
    try:
        replay_record(decode_record(encode_record(to_record(match, bots=bots, seed=log.plan.seed))))
    except ArenaError as error:
        yield Problem("record", str(error))
