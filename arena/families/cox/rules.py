"""Cox's game: its options, Directors, hands and actions as text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from arena.errors import InvalidNotation
from arena.families.cox.actions import BUY, discard, find_slots, lay
from arena.families.cox.cards import COX_PACK, GREEN, KIND, remove_cards, sort_rack
from arena.families.cox.deal import CoxDeal
from arena.families.cox.scoring import DRAWN_BANK, ExposedCards, HandScoring, HighestScore, Score
from arena.families.cox.sets import PARTNERS, set_kind
from arena.families.cox.view import CoxDeterminization
from arena.games.action import Action, action, format_cards
from arena.games.cards import Card, Hand, Pack
from arena.games.option_fields import option
from arena.games.rankings.base import HandRank
from arena.games.rules import COUNTER_CLOCKWISE, Direction, Rules
from arena.games.stock import Shuffler
from arena.games.view import View


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CoxRules(Rules):
    """Cox's Commerce of 1925. Source: S000, sheet B12, rulings C1-C31, R14, R20-R24."""

    family: ClassVar[str] = "cox"
    deal_type: ClassVar = CoxDeal
    determinization: ClassVar = CoxDeterminization
    version: ClassVar[int] = 1
    hand_size: int = 8
    max_players: int = 4
    direction: Direction = COUNTER_CLOCKWISE
    roles: tuple[str, ...] = ("retailer", "wholesaler")
    pack: int = 80
    bank_buys: bool = option(True, "the Bank and one like card of the rack may buy the third of a set")
    wild_pair: bool = option(False, "a Captain and the Bank of one rack make the pair of a complete hand")

    @cached_property
    def whole_pack(self) -> Pack:
        return COX_PACK

    @cached_property
    def scoring(self) -> HandScoring:
        """The scoring of hands."""
        assert isinstance(self.ranking, HandScoring)
        return self.ranking

    def draw_roles(self, shuffler: Shuffler, number: int, players: int) -> tuple[int, ...]:
        """Draw the seats of Retailer and Wholesaler from two Directors' cards for each player.

        Source: S000 "Directors cards", rulings C1, C2.
        """
        cards = 2 * players
        wholesaler, retailer = divmod(shuffler.choose(b"roles %d" % number, cards * (cards - 1)), cards)
        wholesaler += wholesaler >= retailer
        return (retailer % players, wholesaler % players)

    def rank(self, cards: Sequence[Card] | str) -> HandRank:
        """Return the score of a hand with only its greenbacks laid out, none of them doubled.

        Raises:
            InvalidNotation: It is no hand of this game.
        """
        hand = self.whole_pack.parse(cards) if isinstance(cards, str) else tuple(cards)
        self._check_hand(hand, ())
        return self.ranking.rank(hand, self.whole_pack)

    def score_text(self, text: str, number: int = 0) -> Score:
        """Return the score of a hand written as `[a4 a4 a4] [f1 f2 BK] s2 s2 $1`, laid sets in brackets.

        A closing pair for which a card was bought is in parentheses: `(s2 s2)`. Source: ruling R32. Where the
        Bank doubles its drawer's score, `{BK}` is the Bank that the player drew and discarded.

        Args:
            text: The cards of the hand; greenbacks anywhere outside brackets and parentheses.
            number: The number of the player's supply base, 1 to 4; 0 is none.

        Raises:
            InvalidNotation: It is no hand of this game.
        """
        if number not in range(5):
            raise InvalidNotation(f"supply bases are numbered from 1 to 4, not {number}")
        parse = self.whole_pack.parse
        drew_bank = DRAWN_BANK in text
        if drew_bank and not self.scoring.doubles_drawer:
            raise InvalidNotation(f"{DRAWN_BANK} counts only with the option bank_doubles")
        text = text.replace(DRAWN_BANK, " ", 1)
        sets = tuple([sort_rack(parse(inside)) for inside in re.findall(r"\[([^][]*)\]", text)])
        pairs = [sort_rack(parse(inside)) for inside in re.findall(r"\(([^()]*)\)", text)]
        if len(pairs) > 1:
            raise InvalidNotation(f"there is one closing pair, not {len(pairs)}")
        hand = parse(re.sub(r"\[[^][]*\]|\([^()]*\)", " ", text))
        self._check_hand(hand, sets, pairs)
        greenbacks = tuple([c for c in hand if c.suit == GREEN])
        laid = ExposedCards(sets, greenbacks, number, pairs[0] if pairs else (), drew_bank)
        return self.scoring.score(remove_cards(hand, greenbacks), laid)

    def _check_hand(self, loose: Hand, sets: Sequence[Hand], pairs: Sequence[Hand] = ()) -> None:
        """Raise InvalidNotation for an impossible hand: no set, a card too often, or too many cards."""
        for cox_set in sets:
            if set_kind(cox_set) is None:
                raise InvalidNotation(f"[{format_cards(cox_set)}] is no set")
        for pair in pairs:
            if len(pair) != 2 or pair[1] not in PARTNERS[pair[0]]:
                raise InvalidNotation(f"({format_cards(pair)}) is no pair")
        held = Counter([*loose, *[c for cards in (*sets, *pairs) for c in cards]])
        too_many = held - Counter(self.whole_pack.cards)
        if too_many:
            raise InvalidNotation(f"{next(iter(too_many))} is there more often than in the pack")
        kinds = Counter([KIND[c] for c in loose if c.suit != GREEN])
        size = 3 * len(sets) + 2 * len(pairs) + kinds.total() - list(kinds.values()).count(4)
        if not held or size > self.hand_size + 1:
            raise InvalidNotation(
                f"beside greenbacks and fourth cards a hand of {self.name} has {self.hand_size}, not {size}"
            )

    def parse_action(self, text: str, view: View) -> Action:
        kind, *names = text.split() or [""]
        if kind in ("draw", "leave", "hold", "sell") and not names:
            return action(kind)
        if kind == "buy" and not names:
            return BUY
        if (kind == "discard" and len(names) == 1) or (kind == "lay" and names):
            cards = self.whole_pack.parse(" ".join(names))
            missing = Counter(cards) - Counter(view.hand)
            if missing:
                raise InvalidNotation(
                    f"{next(iter(missing))} is not in the rack ({' '.join(map(str, view.hand))})"
                )
            slots = find_slots(view.hand, cards)
            return discard(slots[0]) if kind == "discard" else lay(slots)
        raise InvalidNotation(f"{text!r} is not an action of {self.name}")


COX: Final = CoxRules(
    name="cox",
    title="Cox's patented eighty-card Commerce of 1925: draw or buy, lay sets, sell out; four hands.",
    source="S000",
    source_players=(2, 4),
    ranking=HandScoring(),
    settlement=HighestScore(),
)
