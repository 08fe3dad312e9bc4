"""Positions of a match as a game tree: chance nodes, one for each card, and decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from arena.adapters.action_space import ActionSpace, get_action_space
from arena.adapters.family_encoding import get_encoding
from arena.errors import IllegalAction
from arena.games import Action, Deal, Match, Rules, View, variant
from arena.games.cards import Card, Hand
from arena.games.option_fields import list_options
from arena.games.stock import DecidedShuffler, UndecidedCards, UndecidedNumber

# --- limits ---
# Upper bounds on the length of a match, which OpenSpiel asks for: none of them is ever reached in play.


class DealLimits(NamedTuple):
    """The most there can be in one deal.

    Attributes:
        decisions: Actions of all seats.
        cards: Cards dealt and drawn.
        numbers: Numbers that describe what a seat knows at the end.
    """

    decisions: int
    cards: int
    numbers: int


def max_deals(rules: Rules, players: int) -> int:
    """Return the most deals of a match; where its rules set no limit, twice those that cost all tokens.

    A match without a limit goes on while hands tie for worst, or tokens change hands: it can always be
    longer.
    """
    options = {option.name: value for option, value in list_options(rules)}
    holdings = rules.settlement.initial_holdings(players)
    most = getattr(rules.settlement, "max_deals", None)
    if most:
        return int(most)
    if options.get("deals"):
        return int(options["deals"])
    if holdings.tokens is not None:
        return 2 * players * (max(holdings.tokens) + 1)
    return max(players, int(options.get("until", 0)))


def deal_limits(rules: Rules, players: int) -> DealLimits:
    """Return the limits of one deal."""
    decisions, numbers_each = get_encoding(rules).deal_limits(rules, players)
    pack = len(rules.whole_pack)
    return DealLimits(
        decisions=decisions,
        cards=pack + decisions,
        numbers=decisions * numbers_each + 8 * pack + 32 * players + 64,
    )


def max_chance_nodes(rules: Rules, players: int, deals: int) -> int:
    """Return the most chance nodes of a match: cards, the first dealer, and roles."""
    return 1 + deals * (deal_limits(rules, players).cards + 1)


# --- positions ---

MAX_SMALL_PACK: Final = 12
MAX_KEPT_POSITIONS: Final = 1 << 15
"""Limit on positions kept of a game with a small pack, whose tree is traversed repeatedly to solve it."""
Path = tuple[Any, ...]
"""The numbers that led to a position, as a linked list: (the path before, the number), () at the root."""


class TreeRules:
    """The rules of one game tree.

    Attributes:
        rules: The variant.
        players: Seats at the table.
        max_deals: The deals after which the match ends, if it has not ended before.
        actions: The numbers of the actions.
        cards: The different cards of the pack, in its order.
        card_number: A card's number at a chance node.
    """

    def __init__(self, rules: Rules, players: int, max_deals: int) -> None:
        self.rules: Final = rules
        self.players: Final = players
        self.max_deals: Final = max_deals
        self.actions: Final[ActionSpace] = get_action_space(rules, players)
        self.cards: Final = tuple(dict.fromkeys(rules.whole_pack.cards))
        self.card_number: Final = {card: number for number, card in enumerate(self.cards)}
        self._room = MAX_KEPT_POSITIONS if len(rules.whole_pack) <= MAX_SMALL_PACK else 0

    @property
    def max_chance_outcomes(self) -> int:
        """The most outcomes of a chance node: a card, the first dealer, or two roles."""
        return max(len(self.cards), self.players, (2 * self.players) ** 2 if self.rules.roles else 0)

    def take_room(self) -> bool:
        """Return whether one more position may be kept, and count it."""
        self._room -= 1
        return self._room >= 0

    @cached_property
    def root(self) -> Position:
        """The position in which nothing is decided yet."""
        return _decide(Position(self, None, ()), (), (), ())

    def __reduce__(self) -> tuple[object, ...]:
        rules = self.rules
        return _restore_rules, (rules.name, tuple(rules.overrides.items()), self.players, self.max_deals)

    def trace(self, deals: Sequence[Deal]) -> Position:
        """Return the position to which these deals of one match lead, the last of them finished or not."""
        cards = iter([card for deal in deals for card in _list_cards(deal)])
        indices = iter([index for deal in deals for index in deal.action_indices])
        position = self.root
        while not position.is_over:
            if not position.is_chance:
                index = next(indices, None)
                if index is None:
                    break
                position = position.play(position.to_act.legal[index])
            elif position.missing:
                position = position.child(self.card_number[next(cards)])
            else:
                position = position.child(_find_number(position, deals))
        return position


class Position:
    """A position of a match, which never changes.

    Attributes:
        tree: The rules.
        match: The match after all that is decided; None while the first deal is dealt.
        path: The numbers that led here.
        action: The action of which some cards are not decided yet.
        numbers: What is decided of it: numbers and cards.
        cards: The same.
        left: At a chance node for a card, those it may be.
        missing: The cards still to be drawn from them; 0 where it is not a chance node for a card.
        choices: At a chance node for something else, how many outcomes there are; else 0.
    """

    def __init__(self, tree: TreeRules, match: Match | None, path: Path) -> None:
        self.tree = tree
        self.match = match
        self.path = path
        self.is_over = match is not None and (match.is_over or _has_all_deals(match, tree))
        self.action: Action | None = None
        self.numbers: tuple[int, ...] = ()
        self.cards: Hand = ()
        self.left: Hand = ()
        self.missing = 0
        self.choices = 0
        self._children: dict[int, Position] = {}

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_position, (self.tree, self.list_numbers())

    def list_numbers(self) -> list[int]:
        """Return the numbers that led here, from the root."""
        numbers, path = [], self.path
        while path:
            path, number = path
            numbers.append(number)
        return numbers[::-1]

    @property
    def is_chance(self) -> bool:
        """True if chance is to move."""
        return bool(self.missing or self.choices)

    @cached_property
    def views(self) -> list[View]:
        """The view of each seat; while cards are dealt or drawn, the one before. [] at first."""
        match = self.match
        return [match.view(seat) for seat in range(match.players)] if match else []

    @property
    def seat_to_act(self) -> int:
        """The seat to act, at a decision."""
        assert self.match is not None
        seat = self.match.seat_to_act
        assert seat is not None
        return seat

    @cached_property
    def to_act(self) -> View:
        """The view of the seat to act, at a decision."""
        match = self.match
        assert match is not None
        return match.view(self.seat_to_act)

    # --- chance ---

    @cached_property
    def outcomes(self) -> dict[int, float]:
        """The outcomes of a chance node by number, with their probabilities."""
        if self.missing:
            number = self.tree.card_number
            counts = Counter([number[card] for card in self.left])
        else:
            counts = Counter([self._merge(number) for number in range(self.choices)])
        total = counts.total()
        return {number: counts[number] / total for number in sorted(counts)}

    def outcome_name(self, number: int) -> str:
        """Return an outcome of a chance node as text: `4D`, `dealer 2`, `retailer 1 wholesaler 0`."""
        if self.missing:
            return str(self.tree.cards[number])
        roles = self._draw_roles(number)
        if roles:
            names = self.tree.rules.roles
            return " ".join([f"{name} {seat}" for name, seat in zip(names, roles, strict=True)])
        return f"dealer {number}"

    def _merge(self, number: int) -> int:
        """Return the first number that has the same outcome."""
        roles = self._draw_roles(number)
        return (
            next(choice for choice in range(self.choices) if self._draw_roles(choice) == roles)
            if roles
            else number
        )

    def _draw_roles(self, number: int) -> tuple[int, ...]:
        tree = self.tree
        return tree.rules.draw_roles(DecidedShuffler((number,), ()), 0, tree.players)

    # --- moves ---

    def child(self, number: int) -> Position:
        """Return the position after an outcome or an action, given by its number.

        Raises:
            IllegalAction: There is no such action, or it is not legal.
        """
        position = self._children.get(number)
        if position is None:
            position = self._make_child(number)
            if self.tree.take_room():
                self._children[number] = position
        return position

    def _make_child(self, number: int) -> Position:
        path = (self.path, number)
        if self.is_over:
            raise IllegalAction("the match is over: no action can follow")
        if self.is_chance and number not in self.outcomes:
            raise IllegalAction(f"{number} is not an outcome of this chance node")
        if self.missing:
            return self._add_card(self.tree.cards[number], path)
        if self.choices:
            return _decide(self, (*self.numbers, number), self.cards, path)
        return self._play(self.tree.actions.action(self.to_act, number), path)

    def play(self, action: Action) -> Position:
        """Return the position after a legal action."""
        return self._play(action, (self.path, self.tree.actions.number(action, self.seat_to_act)))

    def _play(self, action: Action, path: Path) -> Position:
        before = Position(self.tree, self.match, self.path)
        before.action = action
        return _decide(before, (), (), path)

    def _add_card(self, card: Card, path: Path) -> Position:
        """Add a card; only after the last one missing the rules go on."""
        cards = (*self.cards, card)
        if self.missing == 1:
            return _decide(self, self.numbers, cards, path)
        place = self.left.index(card)
        return self.wait(
            self.numbers, cards, path, self.left[:place] + self.left[place + 1 :], self.missing - 1
        )

    def wait(
        self,
        numbers: tuple[int, ...],
        cards: Hand,
        path: Path,
        left: Hand = (),
        missing: int = 0,
        choices: int = 0,
    ) -> Position:
        """Return a chance node before the same action."""
        node = Position(self.tree, self.match, path)
        node.action, node.numbers, node.cards = self.action, numbers, cards
        node.left, node.missing, node.choices = left, missing, choices
        return node


def _decide(before: Position, numbers: tuple[int, ...], cards: Hand, path: Path) -> Position:
    """Go on from a position with all that is decided, and stop at what is not."""
    tree = before.tree
    match = _copy_match(before, DecidedShuffler(numbers, cards))
    try:
        if before.match is None:
            match.begin()
        elif before.action is not None:
            match.deal.apply(before.action)
        else:
            match.advance()
    except UndecidedNumber as undecided:
        if not _has_all_deals(match, tree):
            return before.wait(numbers, cards, path, choices=undecided.count)
    except UndecidedCards as undecided:
        if not _has_all_deals(match, tree):
            return before.wait(numbers, cards, path, undecided.cards, undecided.count)
    following = Position(tree, match, path)
    is_between_deals = match.deal.to_act is None and not following.is_over
    return _decide(following, (), (), path) if is_between_deals else following


def _copy_match(position: Position, shuffler: DecidedShuffler) -> Match:
    """Return a copy of the match, or a new one, that takes what is left to chance from a shuffler."""
    if position.match is None:
        rules, players = position.tree.rules, position.tree.players
        match = Match(rules, players, "", rules.settlement.initial_holdings(players))
    else:
        match = position.match.copy()
        match.deal.stock.shuffler = shuffler
    match.shuffler = shuffler
    return match


def _has_all_deals(match: Match, tree: TreeRules) -> bool:
    return len(match.finished_deals) >= tree.max_deals


def _list_cards(deal: Deal) -> Iterator[Card]:
    """Return the cards of a deal in the order in which they are dealt and drawn."""
    return chain(*deal.dealt, deal.table_dealt, deal.recorded_stock)


def _find_number(position: Position, deals: Sequence[Deal]) -> int:
    """Return the outcome by which the first dealer, or the roles, are those of the next deal."""
    match = position.match
    opening = deals[match.deal.opening.number + 1 if match else 0].opening
    if not opening.roles:
        return opening.dealer
    return next(number for number in position.outcomes if position._draw_roles(number) == opening.roles)


@lru_cache(maxsize=64)
def get_tree(rules: Rules, players: int, max_deals: int) -> TreeRules:
    """Return the rules of a game tree; the same object for the same call."""
    return TreeRules(rules, players, max_deals)


def _restore_rules(
    name: str, options: tuple[tuple[str, Any], ...], players: int, max_deals: int
) -> TreeRules:
    return get_tree(variant(name, **dict(options)), players, max_deals)


def _restore_position(tree: TreeRules, numbers: list[int]) -> Position:
    position = tree.root
    for number in numbers:
        position = position.child(number)
    return position
