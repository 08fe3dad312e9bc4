"""The rows of a run that are not in its files: tallies, blocks, deals and decisions."""

from typing import NamedTuple


class TallyRow(NamedTuple):
    """Points of one bot against one other at one game and table size; ratings are fitted to these.

    Attributes:
        variant: The game with its options, as printed.
        players: Seats at the table.
        bot: Name of the bot.
        other: Name of its opponent.
        blocks: Blocks in which they met.
        pairs: Pairs of their seats in all matches.
        points: Points that `bot` took in those pairs: 1 for the better placing, a half for a tie.
        score: 100 · points / pairs, in percent.
        error: Half width of the 95 % interval of the score, in percent; None for fewer than 6 blocks, or
            where blocks do not differ.
    """

    variant: str
    players: int
    bot: str
    other: str
    blocks: int
    pairs: int
    points: float
    score: float
    error: float | None


class BlockRow(NamedTuple):
    """One block: one deal seed and the matches played on it, one for each seating.

    Attributes:
        number: Place in the schedule, from 0.
        block: Address of the block, the same in every run with this block.
        variant: The game with its options, as printed.
        players: Seats at the table.
        bots: Names of the bots in the first seating, by seat.
        matches: Matches of the block.
        faults: Failures of bots in them.
        seed: Seed of its cards: `variant(…).match(players, seed)` deals them again.
    """

    number: int
    block: str
    variant: str
    players: int
    bots: tuple[str, ...]
    matches: int
    faults: int
    seed: str


class DealRow(NamedTuple):
    """One seat of one deal.

    Attributes:
        block: Address of the block.
        variant: The game with its options, as printed.
        players: Seats at the table.
        rotation: Number of the seating in its block, from 0.
        deal: Number of the deal in its match, from 0.
        seat: The seat, from 0.
        bot: Name of the bot.
        dealer: Seat of the dealer.
        table: Cards laid out at the start.
        hand: Cards dealt to the seat; None for a seat that is not in the deal, as is `final_hand`.
        final_hand: Its cards at the end.
        actions: Number of its actions, those without a choice too.
        tokens: Change of the seat's tokens in the deal; None in games that do not settle in tokens.
        chips: The same in chips.
        points: The same in points.
        pool: Content of the pool after the deal; None in games without one.
    """

    block: str
    variant: str
    players: int
    rotation: int
    deal: int
    seat: int
    bot: str
    dealer: int
    table: str
    hand: str | None
    final_hand: str | None
    actions: int
    tokens: int | None
    chips: int | None
    points: int | None
    pool: int | None


class DecisionRow(NamedTuple):
    """One action of a seat that had at least two to choose from.

    Actions of bots that failed or were disqualified are among them: `faults` of the match counts failures.

    Attributes:
        block: Address of the block.
        variant: The game with its options, as printed.
        players: Seats at the table.
        rotation: Number of the seating in its block, from 0.
        deal: Number of the deal in its match, from 0.
        number: Place of the action among all of the deal, from 0, as in its record.
        seat: The seat, from 0.
        bot: Name of the bot.
        hand: Its cards, as the seat could see them.
        legal: Number of legal actions.
        legal_index: Place of the action in `view.legal`, from 0.
        text: The action in notation.
        placing: Placing of the seat in the whole match; 1 is best.
        payoff: Payoff of the seat in the whole match.
    """

    block: str
    variant: str
    players: int
    rotation: int
    deal: int
    number: int
    seat: int
    bot: str
    hand: str
    legal: int
    legal_index: int
    text: str
    placing: int
    payoff: int
