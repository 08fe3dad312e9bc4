"""Tables of packs and hands: the name of a rule, a game with its options, and how hands rank in it.

    b6 test 2 three alike stand between 30 and 31
        trentuno-draw | AH KH JH > 2S 2H 2D > KC QC JC; 2S 2H 2D is three-alike 30.5

A hand `is` of a category, and of a value if there is one, or `is none`: it cannot be a hand of the game.
`pack 40` and `players 2-12` say how many cards there are, and how many can play.
"""

from collections.abc import Callable
from itertools import product

import pytest

from arena.errors import InvalidNotation
from arena.games import Rules, variant
from tests.games.support.scripted_cases import Case, read_cases, read_value


def hand_cases(text: str) -> Callable[..., None]:
    """Return a test of all cases of a table."""
    cases = read_cases(text)

    @pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])
    def test(case: Case) -> None:
        for (games, claims), _ in case.deals:
            names, *words = games.split()
            options = {word.partition("=")[0]: read_value(word.partition("=")[2]) for word in words}
            for name, claim in product(names.split(","), claims.split("; ")):
                check_claim(variant(name, **options), claim)

    return test


def check_claim(rules: Rules, claim: str) -> None:
    """Check how hands compare, what a hand is, or how many cards and players there are."""
    word, _, number = claim.partition(" ")
    if word in ("pack", "players"):
        players = f"{rules.players[0]}-{rules.players[-1]}"
        assert (str(len(rules.whole_pack)) if word == "pack" else players) == number, f"{rules}: {claim}"
        return
    if " is " in claim:
        hand, _, expected = claim.partition(" is ")
        if expected == "none":
            with pytest.raises(InvalidNotation):
                rules.rank(hand.strip("'"))
            return
        rank, (category, *value) = rules.rank(hand.strip("'")), expected.split()
        assert rank.category == category, f"{rules}: {claim}"
        assert not value or rank.value == float(value[0]), f"{rules}: {hand} has {rank.value}"
        return
    better = None
    for hand in claim.split(" > "):
        equal = [rules.rank(text) for text in hand.split(" = ")]
        assert all(rank == equal[0] for rank in equal), f"{rules}: {hand}"
        assert better is None or better > equal[0], f"{rules}: {claim}"
        better = equal[0]
