"""The rules of a variant: what all families share, and the matches they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from numbers import Integral
from random import Random
from typing import Any, ClassVar, Final, Self

from arena.errors import InvalidNotation, InvalidRules
from arena.games.action import Action
from arena.games.cards import MAX_PACK, MIN_PACK, PACK_DOC, Card, Hand, Pack, find_pack
from arena.games.deal import Deal
from arena.games.determinization import Determinization, ReplayedDeals, sample_matches
from arena.games.hand_lookup import RankTable, Strengths, compute_strengths
from arena.games.match import Match
from arena.games.opening import MatchRules, Opening
from arena.games.option_fields import Part, format_option, list_options, option, override
from arena.games.rankings.base import NO_RANKING, UNRANKED, HandRank, Ranking
from arena.games.settlement.base import Settlement
from arena.games.settlement.holdings import Changes, Holdings
from arena.games.stock import Shuffler, Stock
from arena.games.view import View


@dataclass(frozen=True, kw_only=True)
class Direction(Part):
    """Side on which the next player sits; in Italy and France either. Source: S000, rulings R14, R30."""

    direction: str = option("left", "the side of a player whose turn is next", choices=("left", "right"))

    @property
    def step(self) -> int:
        """The step from a seat to the next: 1 clockwise, -1 counter-clockwise."""
        return 1 if self.direction == "left" else -1


CLOCKWISE: Final = Direction()
COUNTER_CLOCKWISE: Final = Direction(direction="right")
EITHER_WAY: Final = Direction(offers=("direction",))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Rules:
    """A variant: one named game with all its options fixed. Get one by `variant`.

    The author of a game derives from it a frozen dataclass with `family`, `deal_type` and what else differs.

    >>> from arena.games import variant
    >>> rules = variant("lives")
    >>> rules.players
    range(2, 17)
    >>> rules.rank("AH KH JH").category
    'flush'
    >>> rules.rank("7C 7D 7S") > rules.rank("AH KH QH")
    True

    Attributes:
        name: By which configs and commands name it.
        title: What it is, in a line.
        source: Where its rules come from.
        source_players: The fewest and the most players the source has, None where it names none; printed, not
            enforced.
        aliases: Further names.
        base: Of a house game the installed variant and its options, as printed; empty for installed ones.
        page: A house game's rule page in Markdown, if it has one.
        hand_size: Cards dealt to each player.
        table_size: Cards laid out at the start.
        min_players: The fewest players.
        max_players: The most players ever dealt in.
        direction: The side on which the next player sits.
        roles: Duties that are drawn anew for each deal, the dealer's first; () where the deal goes round.
        ranking: How hands compare.
        settlement: What a deal costs and earns, and when a match ends.
        other_settlement: What the option `pooled` puts in place of `settlement`; None where there is no such
            option.
        pack: How many cards there are in the pack (an option).
    """

    family: ClassVar[str] = ""
    """The variants that share a state machine: exchange, barter, draw, cuckoo, cambio, cox."""
    deal_type: ClassVar[type[Any]]
    """The class of its deals, made of the rules, the opening, hands, table and stock."""
    determinization: ClassVar[type[Determinization[Any]] | None] = None
    """Sampler of its views; None for that of its deals."""
    version: ClassVar[int] = 1
    """Version of the family's rules: raised when a match may go another way than before, however slightly."""
    makes_offers: ClassVar[bool] = False
    """True if a deal makes the offers of its settlement before the next: to buy a horse."""
    parts: ClassVar[Mapping[str, Any]] = {}
    """Parts of a game without a record of its family, as in `Family.parts`."""
    name: str
    title: str = ""
    source: str = ""
    source_players: tuple[int, int] | None = None
    aliases: tuple[str, ...] = ()
    base: str = ""
    page: str = ""
    hand_size: int
    table_size: int = 0
    min_players: int = 2
    max_players: int = 16
    direction: Direction = CLOCKWISE
    roles: tuple[str, ...] = ()
    ranking: Ranking = NO_RANKING
    settlement: Settlement
    other_settlement: Settlement | None = None
    pooled: bool = option(
        False, "settled as pool is: one pool, counters, a horse, the final sweep", needs="other_settlement"
    )
    pack: int = option(52, f"cards in the pack, {PACK_DOC}", low=MIN_PACK, high=MAX_PACK)

    def __post_init__(self) -> None:
        fewest = self.min_players
        if not self.players:
            raise InvalidRules(f"{self.name}: {self._need(fewest)}, and {fewest} is the fewest")
        if self.settlement.has_offers and not self.makes_offers:
            raise InvalidRules(
                f"{self.name}: games of the {self.family} family offer no horse; set horse = false"
            )

    def __str__(self) -> str:
        changed = ", ".join(
            [f"{key}={format_option(value)}" for key, value in self.overrides.items() if key != "base"]
        )
        return f"{self.name}({changed})" if changed else self.name

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self.overrides.items())
        return f"variant({self.name!r}{options})"

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields and the options set, without tables computed from them."""
        kept = {"overrides", *(field.name for field in fields(self))}
        return {name: value for name, value in vars(self).items() if name in kept}

    @cached_property
    def overrides(self) -> dict[str, Any]:
        """The options that differ from the variant's own, by name; of a house game first its `base`."""
        return {"base": self.base} if self.base else {}

    @property
    def installed_name(self) -> str:
        """The name of the installed variant: of a house game that of its base."""
        return self.base.partition("(")[0] or self.name

    def with_options(self, changes: dict[str, Any]) -> Self:
        """Return the same game with these options set.

        Raises:
            UnknownOption: There is no such option, or it cannot have such a value.
            InvalidRules: Not even two could play then.
        """
        usual = self._swap_settlements() if changes.get("pooled", self.pooled) != self.pooled else self
        own = {setting.name: value for setting, value in list_options(usual)}
        house = override(usual, changes)
        changed = {
            setting.name: value for setting, value in list_options(house) if value != own[setting.name]
        }
        house.overrides.update(changed)
        return house if changed else self

    def _swap_settlements(self) -> Self:
        """Return the same game with the other settlement, if it has one."""
        if self.other_settlement is None:
            return self
        return replace(self, settlement=self.other_settlement, other_settlement=self.settlement)

    @cached_property
    def whole_pack(self) -> Pack:
        """The cards the game is played with."""
        return find_pack(self.pack)

    @cached_property
    def step(self) -> int:
        """The step from a seat to the next."""
        return self.direction.step

    @property
    def least_stock(self) -> int:
        """The cards that the stock must have when all are dealt."""
        return 1

    @cached_property
    def players(self) -> range:
        """The numbers of players there can be: `min_players` to `max_players` that leave `least_stock`."""
        most = (len(self.whole_pack) - self.table_size - self.least_stock) // self.hand_size
        return range(self.min_players, min(most, self.max_players) + 1)

    def _need(self, players: int) -> str:
        cards, stock = players * self.hand_size, self.least_stock
        return (
            f"{players} players need {cards} cards, the table {self.table_size} and the stock {stock}, "
            f"the pack has {len(self.whole_pack)}"
        )

    @property
    def hand_sizes(self) -> range:
        """The numbers of cards a hand can have to be ranked: by default `hand_size` alone."""
        return range(self.hand_size, self.hand_size + 1)

    @cached_property
    def match_rules(self) -> MatchRules:
        """The answers of these rules to what a match asks once a deal."""
        kind = type(self)
        deals_by_default = kind.deal_cards is Rules.deal_cards and kind.deal is Rules.deal
        return MatchRules(self, self.deal_type if deals_by_default else None)

    @cached_property
    def rank_table(self) -> RankTable:
        """Ranks of hands as `rules.rank_table[hand]`: like `rank`, faster, without checks.

        Of equal ranks with different categories (three alike that count 30, and a suited 30) it has only one.
        """
        return RankTable(self.ranking, self.whole_pack)

    @cached_property
    def strengths(self) -> Strengths:
        """Three-card hands by the numbers of their cards, the fastest way to compare many; larger is better.

        `strengths[a.number][b.number][c.number]`; a hand with a card that is not known has less than any.
        """
        return compute_strengths(self.ranking, self.whole_pack)[0]

    def rank(self, cards: Sequence[Card] | str) -> HandRank:
        """Return the rank of a hand.

        Args:
            cards: A hand's cards, or their text: `"7C 7D AS"`.

        Returns:
            A comparable value, larger is better, equal is a tie; `.category` names it.

        Raises:
            InvalidNotation: It is not a hand of this game.
        """
        hand = self.whole_pack.parse(cards) if isinstance(cards, str) else tuple(cards)
        if len(hand) not in self.hand_sizes:
            sizes = " or ".join(map(str, self.hand_sizes))
            raise InvalidNotation(
                f"a hand of {self.name} has {sizes} cards, not {len(hand)} (Rules.hand_sizes)"
            )
        if len(set(hand)) < len(hand):
            raise InvalidNotation(f"a card stands twice in {' '.join(map(str, hand))!r}")
        rank = self.ranking.rank(hand, self.whole_pack)
        if rank is UNRANKED:
            raise InvalidNotation(f"{self.installed_name} does not rank hands")
        return rank

    def explain_player_limit(self, players: int) -> str:
        """Return why `players` cannot play, with the numbers."""
        most = self.players[-1]
        short = players > most and most < self.max_players
        why = self._need(players) if short else f"it is for {self.player_range}"
        return why if self.min_players == most else f"{why}; at most {most} can play"

    @property
    def player_range(self) -> str:
        """The numbers of players there can be, in words: `2 to 4 players`, `4 players`."""
        fewest, most = self.players[0], self.players[-1]
        return f"{most} players" if fewest == most else f"{fewest} to {most} players"

    def match(self, players: int, seed: str, start: Holdings | None = None) -> Match:
        """Begin a match.

        Args:
            players: How many play, one of `players`.
            seed: Any text; the same seed deals the same cards.
            start: What everybody holds at first, where it is not the usual.

        Returns:
            A match at its first decision.

        Raises:
            InvalidRules: The number of seats does not fit.
            TypeError: `players` is no whole number, or `seed` no text.
        """
        if not isinstance(players, (int, Integral)):  # an int is far sooner found to be an int
            raise TypeError(f"players is a whole number, not {players!r}")
        if not isinstance(seed, str):
            raise TypeError(f"a seed is a text such as '7', not {seed!r}")
        if players not in self.players:
            raise InvalidRules(f"{self} cannot be dealt to {players}: {self.explain_player_limit(players)}")
        return Match(self, players, seed, start or self.settlement.initial_holdings(players)).begin()

    def draw_roles(self, shuffler: Shuffler, number: int, players: int) -> tuple[int, ...]:
        """Return the seats that have the `roles` in deal `number`; () where the deal goes round."""
        return ()

    def deal_cards(self, opening: Opening, stock: Stock) -> Deal:
        """Deal from a shuffled pack: cards go to seats by fixed places, whether a seat is still in or not."""
        hands, table = stock.deal_hands(opening.players, self.hand_size, self.table_size, opening.order)
        return self.deal(opening, hands, table, stock)

    def deal(self, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock) -> Deal:
        """Return a deal of these cards, played up to its first decision; () for a seat that is not in it."""
        deal: Deal = self.deal_type(self, opening, hands, table, stock)
        return deal.begin()

    def parse_action(self, text: str, view: View) -> Action:
        """Return the action written as `text` in this view, legal or not; by default only a legal one.

        Raises:
            InvalidNotation: No action is written so here.
        """
        written = " ".join(text.split())
        texts = [view.text(action) for action in view.legal]
        if written not in texts:
            raise InvalidNotation(f"{text!r} is not an action here: {', '.join(texts)}")
        return view.legal[texts.index(written)]

    def list_actions(self, players: int) -> Sequence[Action]:
        """Return all actions that can ever be legal, in the order of their numbers; () if not known.

        Of a game whose family has an encoding it is not asked.
        """
        return ()

    def value(self, opening: Opening, changes: Changes | None, seat: int) -> float:
        """Return how well a deal went for a seat: what it won, less what the others won on average.

        >>> from arena.games import variant
        >>> match = variant("lives").match(players=3, seed="match")
        >>> deal = match.playout([lambda view: view.legal[0]] * 3)
        >>> match.rules.value(deal.opening, deal.changes, seat=0)
        -1.0

        Args:
            opening: How the deal began.
            changes: What it changed: `Deal.changes` once it is over.
            seat: A seat that was in the deal.

        Returns:
            A value in tokens, chips or points, larger is better in every game.

        Raises:
            ValueError: The deal is not over, or the seat is not in it.
        """
        if changes is None:
            raise ValueError("the deal has no value before it is over")
        if seat not in opening.order:
            raise ValueError(f"seat {seat} is not in the deal")
        payoffs = self.settlement.deal_payoffs(changes)
        own, others = payoffs[seat], len(opening.order) - 1
        return own - (sum([payoffs[other] for other in opening.order]) - own) / others

    def decisions(self, deal: Deal) -> Iterator[tuple[View, Action]]:
        """Yield the decisions of a deal so far: what the seat asked knew then, and what it did.

        Of a sampled deal they tell how likely it is: whether the others would have acted as they have. Where
        only one action was legal nothing was decided.

        >>> from arena.games import variant
        >>> match = variant("lives").match(players=3, seed="match")
        >>> match.apply(match.parse("pass"))
        >>> [(view.seat, view.text(action)) for view, action in match.rules.decisions(match.deal)]
        [(1, 'pass')]
        """
        for again, index in zip(deal.replay(), deal.action_indices, strict=False):
            legal, seat = again.legal_actions, again.to_act
            if not legal.is_forced and seat is not None:
                yield again.view(seat), legal.actions[index]

    @property
    def sampler(self) -> type[Determinization[Any]]:
        """The class that samples views: that of the rules, that of their deals, or `ReplayedDeals`."""
        return self.determinization or self.deal_type.determinization or ReplayedDeals

    def samples(self, view: View, rng: Random, count: int) -> Iterator[Match]:
        """Draw matches uniformly from all those this view allows."""
        return sample_matches(self.sampler, view, rng, count)
