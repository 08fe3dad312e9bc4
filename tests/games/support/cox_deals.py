"""Hands of Cox's game for the tests: dealt by hand, drawn at random, and counted in every way there is."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from arena.families.cox.rules import CoxRules
from arena.games import Match, variant
from arena.games.action import format_cards
from arena.games.cards import Pack
from tests.games.support.scripted_deal import ScriptedDeal

RULES = variant("cox")
assert isinstance(RULES, CoxRules)
COX: CoxRules = RULES
PACK: Pack = COX.whole_pack

Words = tuple[str, ...]


def cox(
    hands: Sequence[str], front: str = "", back: str = "", *, retailer: int = 0, **options: Any
) -> ScriptedDeal:
    """A hand with these cards first and last in the stock, and the others between them."""
    told = PACK.parse(" ".join([*hands, front, back]))
    stock = f"{front} {format_cards(PACK.without(told))} {back}"
    return ScriptedDeal("cox", hands, stock=stock, dealer=retailer, **options)


def laid(table: ScriptedDeal, seat: int = 0) -> str:
    """The sets before a seat, as `arena hand` reads them."""
    return " ".join([f"[{format_cards(laid_set)}]" for laid_set in view(table, seat).sets[seat]])


def view(table: ScriptedDeal, seat: int = 0) -> Any:
    """Return a seat's view."""
    return table.deal.view(seat)


def rack(table: ScriptedDeal, seat: int = 0) -> str:
    """Return the cards in a seat's rack."""
    return table.hands[seat]


def played(seed: str, players: int, choose: Any = None) -> Iterator[Match]:
    """A match at each of its decisions, played by `choose` or at random."""
    rng = Random(seed)
    match = COX.match(players, seed)
    while not match.is_over:
        yield match
        match.apply(choose(match) if choose else rng.choice(match.deal.legal_actions.actions))


# --- a hand counted in every way there is, with no regard to how long it takes ---


class WrittenHand(NamedTuple):
    """A hand: what stands in the rack, the sets before it, the money and the base's number."""

    rack: Words
    sets: tuple[Words, ...]
    money: Words
    number: int

    def __str__(self) -> str:
        return " ".join([*[f"[{' '.join(laid_set)}]" for laid_set in self.sets], *self.rack, *self.money])


def kind(card: str) -> str:
    """Return the key shared by like cards: an honour all of its suit, any other only its equals."""
    return card[0] if card[0] in "fgi" else card


def is_wild(card: str) -> bool:
    return card == "BK" or card[1] == "C"


def group_worth(group: Words) -> int | None:
    """Return the score of a pair or a set of three; None if the cards are neither."""
    natural = [card for card in group if not is_wild(card)]
    wild = [card for card in group if is_wild(card)]
    kinds = {kind(card) for card in natural}
    if len(wild) > 1 or len(kinds) != 1:
        return None
    (only_kind,) = kinds
    if wild and wild != ["BK"] and wild[0][0] != only_kind[0]:
        return None
    if len(group) == 2:
        return 3 if only_kind in "fgi" else 0
    return 5 if only_kind in "fgi" or only_kind[1] == "5" else 3


def every_count(cards: Words, sets: tuple[Words, ...]) -> Iterator[int]:
    """Yield the score of the rest of a rack for each way to arrange it."""
    if not cards:
        yield 0
        return
    first, rest = cards[0], cards[1:]
    yield from every_count(rest, sets)
    for place, cards_of_set in enumerate(sets):
        takes = len(cards_of_set) == 3 and "BK" not in cards_of_set and not is_wild(first)
        if takes and kind(first) in {kind(card) for card in cards_of_set}:
            gain = 5 if kind(first) in "fgi" or first[1] == "5" else 2
            others = (*sets[:place], (*cards_of_set, first), *sets[place + 1 :])
            yield from (gain + count for count in every_count(rest, others))
    for size in (1, 2):
        for chosen in combinations(range(len(rest)), size):
            worth = group_worth((first, *(rest[slot] for slot in chosen)))
            if worth is not None:
                left = tuple([card for slot, card in enumerate(rest) if slot not in chosen])
                yield from (worth + count for count in every_count(left, sets))


def brute_count(told: WrittenHand) -> int:
    """The best count of a hand, all ways tried; three alike in the rack are laid first, as they must be."""
    cards, sets = sorted(told.rack), told.sets
    for common in sorted({kind(card) for card in cards if not is_wild(card)}):
        alike = [card for card in cards if kind(card) == common]
        if len(alike) > 2:
            sets = (*sets, tuple(alike[:3]))
            for card in alike[:3]:
                cards.remove(card)
    total = 0
    for laid_set in sets:
        natural = next(card for card in laid_set if not is_wild(card))
        worth = {3: 5, 4: 10} if natural[0] in "fgi" or natural[1] == "5" else {3: 3, 4: 5}
        total += worth[len(laid_set)]
    money = sum(6 if card == f"${told.number}" else 3 for card in told.money)
    return total + money + max(every_count(tuple(cards), sets))


def brute_points(told: WrittenHand, count: int) -> int:
    """Return the score of a hand with this count."""
    cards = [*told.rack, *[card for laid_set in told.sets for card in laid_set]]
    clear = len({card[0] for card in cards if card[0] in "asp"}) < 2
    return count * (2 if "BK" in cards else 1) - (0 if clear else 5)


def random_hand(rng: Random) -> WrittenHand:
    """A hand with two, one or no sets laid, often with wild cards, often of few kinds."""
    left = Counter({str(card): PACK.cards.count(card) for card in PACK.cards if card.suit != "$"})
    sets = tuple([random_set(rng, left) for _ in range(rng.randrange(3))])
    pool = list(left.elements())
    if rng.random() < 0.6:
        pool = [card for card in pool if is_wild(card) or card[0] in rng.choice(["af", "sgi", "fgi", "apf"])]
    wild = [card for card in pool if is_wild(card) and rng.random() < 0.4]
    size = 8 - 3 * len(sets)
    others = [card for card in pool if not is_wild(card)]
    chosen = [*wild[:size], *rng.sample(others, len(others))][:size]
    money = tuple(rng.sample(["$1", "$2", "$3", "$4"], rng.choice([0, 0, 1, 2, 4])))
    return WrittenHand(tuple(chosen), sets, money, rng.randrange(1, 5))


def random_set(rng: Random, left: "Counter[str]") -> Words:
    """A set of what is left, taken from it: natural, or with a Captain or the Bank."""
    while True:
        chosen_kind = rng.choice(["a1", "a5", "s2", "s5", "p3", "f", "g", "i"])
        natural = [card for card in sorted(left.elements()) if kind(card) == chosen_kind]
        helper = rng.choice(["", "", "BK", chosen_kind[0] + "C"])
        size = rng.choice([3, 4])
        if helper == "BK":
            size = 3
        if helper and (not left[helper] or (helper != "BK" and chosen_kind in "fgi")):
            continue
        if len(natural) < size - bool(helper):
            continue
        made = (*natural[: size - bool(helper)], *([helper] if helper else []))
        left.subtract(made)
        return made
