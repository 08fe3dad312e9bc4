"""A game's heuristic, or another player, unless another action has a higher weighted score.

A score is a sum of a few numbers about the action, each times a constant. `arena exploit` fits the constants
against one bot, `python -m bots.fitting weights` those of the bot `retuned`.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Final, Protocol

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Hand
from arena.games.hand_lookup import compute_strengths
from arena.games.rankings.base import HandRank
from arena.play.heuristics import Heuristic, heuristic_type, make_heuristic
from arena.play.heuristics.fallback_action import STOPPING

HEURISTIC: Final = "heuristic."
"""Prefix of the names of the constants of the heuristic, or of the player in its place."""
LAST: Final = frozenset({"knock", "stand", "cambio", "sell"})
"""Kinds of actions that leave the hand as it is to the end of the deal."""
MAX_CONSIDERED: Final = 5  # exchanges, those that make the best hands
MAX_TURNS: Final = 8
TYPICAL_HANDS: Final = 1000


class Player(Protocol):
    """A player of one seat."""

    def act(self, view: View) -> Action:
        """Return one of the legal actions."""


MakePlayer = Callable[[dict[str, float]], Player]
"""Function that makes a player from its constants."""


class WeightedHeuristic(Heuristic):
    """Player of the action with the highest score; without constants it plays the heuristic.

    Args:
        rules: The game.
        constants: Its constants by name. Those that begin with `heuristic.` are the heuristic's own.
        make_usual: Makes a player from these, in place of the heuristic.

    The score of an action, by names of constants:

    - 1 for the action of the heuristic;
    - `now`: how much the hand it makes raises the chance to do better than the others;
    - `later`: the same for the best hand that one more card can make of that, unseen or in the widow;
    - its kind, such as `knock`: a constant;
    - `knock.chance`, `knock.turns`: for kinds that may end the deal, the chance of its hand less a half, and
      the actions so far for each seat.
    """

    def __init__(
        self, rules: Rules, constants: Mapping[str, float], make_usual: MakePlayer | None = None
    ) -> None:
        own = {
            name.removeprefix(HEURISTIC): value
            for name, value in constants.items()
            if name.startswith(HEURISTIC)
        }
        self.rules = rules
        self.heuristic = make_usual(own) if make_usual else make_heuristic(rules, own)
        self.constants = constants
        self.is_judging = heuristic_type(rules).cards_seen is not None
        self.later = constants.get("later", 0.0) if rules.hand_size == 3 else 0.0

    def act(self, view: View) -> Action:
        usual = self.heuristic.act(view)
        if len(view.legal) == 1:
            return usual
        judge = Judge(self.rules, view) if self.is_judging else None
        held = judge.chance(view.hand) if judge else 0.5
        turns = min(len(view.past) / len(view.order), MAX_TURNS) / MAX_TURNS
        best, highest = usual, self.score(view, usual, judge, held, turns) + 1
        for action in self.choose_considered(view, usual):
            score = self.score(view, action, judge, held, turns)
            if score > highest:
                best, highest = action, score
        return best

    def choose_considered(self, view: View, usual: Action) -> list[Action]:
        """Return the actions to score beside the usual one: of exchanges those that make the best hands."""
        others = [action for action in view.legal if action is not usual]
        exchanges = [action for action in others if action.take and action.give]
        if len(exchanges) <= MAX_CONSIDERED or HIDDEN in view.hand + view.table:
            return others
        rank = self.rules.rank_table
        exchanges.sort(key=lambda action: rank[view.after(action)], reverse=True)
        rest = [action for action in others if not (action.take and action.give)]
        return [*exchanges[:MAX_CONSIDERED], *rest]

    def score(self, view: View, action: Action, judge: "Judge | None", held: float, turns: float) -> float:
        """Return the score of an action, without the 1 for the heuristic's; `held` is its hand's chance."""
        constants, kind = self.constants, action.kind
        score = constants.get(kind, 0.0)
        if kind in STOPPING:
            score += constants.get(f"{kind}.chance", 0.0) * (held - 0.5)
            score += constants.get(f"{kind}.turns", 0.0) * turns
        if judge is None or kind in LAST:
            return score
        made = view.after(action)
        score += constants.get("now", 0.0) * (judge.chance(made) - held)
        if self.later:
            score += self.later * (judge.potential(made, table_after(view, action)) - held)
        return score


class Judge:
    """Judges hands at one decision, by the chance to do better than others that hold typical hands.

    Where there is a pool the chance is that to have the best hand, elsewhere that not to have the worst.
    """

    def __init__(self, rules: Rules, view: View) -> None:
        self.rules = rules
        self.view = view
        self.seats, self.is_best_winning = len(view.order), view.holdings.pool is not None
        self.has_strengths = rules.hand_size == 3
        if self.has_strengths:
            self.strengths = rules.strengths
            self.by_strength = chances_by_strength(rules, self.seats, self.is_best_winning)
        self.unseen: list[int] = []
        self.potentials: dict[tuple[Hand, Hand], float] = {}

    def chance(self, hand: Hand) -> float:
        """Return the chance of a hand; of one with a card not known, the mean over the unseen cards."""
        if not self.has_strengths:
            return 0.5 if HIDDEN in hand else self.chance_of_rank(hand)
        known = [card.number for card in hand if card is not HIDDEN]
        if len(known) == 2:
            row = self.strengths[known[0]][known[1]]
            return fmean([self.by_strength[row[card]] for card in self.find_unseen()] or [0.5])
        if len(known) == 3 and len(hand) > 3:
            return self.potential(hand, ())
        made = [self.by_strength[self.strengths[a][b][c]] for a, b, c in combinations(known, 3)]
        return max(made, default=0.5)

    def chance_of_rank(self, hand: Hand) -> float:
        """Return the chance of a hand of another size than three."""
        typical = typical_ranks(self.rules)
        below = bisect_left(typical, self.rules.rank_table[hand]) / len(typical)
        return compute_chance(below, self.seats, self.is_best_winning)

    def potential(self, hand: Hand, table: Hand) -> float:
        """Return the mean over the unseen cards of the chance of the best hand that one more card makes.

        That card is the unseen one or one of the table.
        """
        if (hand, table) not in self.potentials:
            self.potentials[hand, table] = self.compute_potential(hand, table)
        return self.potentials[hand, table]

    def compute_potential(self, hand: Hand, table: Hand) -> float:
        known = [card.number for card in hand if card is not HIDDEN]
        unseen = self.find_unseen()
        if len(known) != 3 or not unseen:
            return self.chance(hand)
        a, b, c = known
        ab, ac, bc = self.strengths[a][b], self.strengths[a][c], self.strengths[b][c]
        by_strength = self.by_strength
        left = [card.number for card in table]
        least = max([ab[c], *(max(ab[x], ac[x], bc[x]) for x in left)])
        return fmean([by_strength[max(ab[x], ac[x], bc[x], least)] for x in unseen])

    def find_unseen(self) -> list[int]:
        """Return the numbers of the cards that are not known to be elsewhere."""
        if not self.unseen:
            seen = {*self.view.hand, *self.view.table}.union(*self.view.known)
            self.unseen = [card.number for card in self.rules.whole_pack.cards if card not in seen]
        return self.unseen


def table_after(view: View, action: Action) -> Hand:
    """Return the cards of the table as an action leaves them, in a game where they stay."""
    if not heuristic_type(view.opening.rules).keeps_table:
        return ()
    table = list(view.table)
    for mine, theirs in zip(action.give, action.take, strict=False):
        table[theirs] = view.hand[mine]
    return tuple(table)


def compute_chance(below: float, seats: int, is_best_winning: bool) -> float:
    """Return the chance of a hand that beats this share of typical ones."""
    return float(below ** (seats - 1) if is_best_winning else 1 - (1 - below) ** (seats - 1))


@cache
def chances_by_strength(rules: Rules, seats: int, is_best_winning: bool) -> list[float]:
    """Return the chances of hands of three cards by their strength; the last is that of unknown ones."""
    typical = typical_ranks(rules)
    _, ranks = compute_strengths(rules.ranking, rules.whole_pack)
    below = [bisect_left(typical, rank) / len(typical) for rank in ranks]
    return [*(compute_chance(share, seats, is_best_winning) for share in below), 0.5]


@cache
def typical_ranks(rules: Rules) -> list[HandRank]:
    """Return ranks of random hands, each improved by the best of a few cards in turn, worst first."""
    rng, ranks, rank = Random(0), [], rules.rank_table
    pack, size = rules.whole_pack.cards, rules.hand_size
    for _ in range(TYPICAL_HANDS):
        cards = rng.sample(pack, min(size + (heuristic_type(rules).cards_seen or 0), len(pack)))
        hand = tuple(cards[:size])
        for card in cards[size:]:
            changed = [(*hand[:slot], card, *hand[slot + 1 :]) for slot in range(size)]
            hand = max([hand, *changed], key=rank.__getitem__)
        ranks.append(rank[hand])
    return sorted(ranks)
