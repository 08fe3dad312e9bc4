"""The play of ready money between two: hand classes, situations, and the solver on small numbers of deals."""

import subprocess
import sys
from importlib import import_module
from itertools import combinations, permutations
from os import environ
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.families.barter.deal import GIVE_ACTIONS, STAND
from arena.families.barter.rules import BarterRules
from arena.families.barter.view import HAND_SIZE
from arena.games import View, variant
from arena.games.action import Action
from arena.games.cards import Hand
from arena.play import Info
from bots.barter import (
    CHOICES,
    LEADS,
    UNKNOWN,
    EquilibriumPlayer,
    find_choice,
    find_class,
    list_situations,
    load_play,
    number_classes,
)
from bots.expert import make_plain
from bots.retuned import Retuned

GAME = "ready-money"
pytestmark = pytest.mark.xdist_group("barter-equilibrium")  # the solver is compiled once


def get_rules(**options: object) -> BarterRules:
    rules = variant(GAME, **options)
    assert isinstance(rules, BarterRules)
    return rules


PACK = get_rules().whole_pack


def make_player() -> EquilibriumPlayer:
    return EquilibriumPlayer(Info.of(get_rules(), seat=0, players=2, key="play"))


def parse(cards: str) -> Hand:
    return tuple([PACK.card(name) for name in cards.split()])


def get_view(match: Any) -> View:
    assert match.seat_to_act is not None
    view: View = match.view(match.seat_to_act)
    return view


def test_hands_of_one_class_differ_in_the_names_of_suits_alone() -> None:
    """There are 13 tricons, 312 pairs with a third card in one of their suits or not, 1430 other hands."""
    assert len(number_classes()) == 13 + 2 * 13 * 12 + 5 * 286
    for one, other in (("AS KS 2D", "2C KH AH"), ("7D 7C 9D", "7H 7S 9S"), ("5S 5D 5C", "5H 5C 5S")):
        assert find_class(PACK, parse(one))[0] == find_class(PACK, parse(other))[0]
    for one, other in (("AS KS 2D", "AS KD 2D"), ("7D 7C 9D", "7D 7C 9H"), ("5S 5D 6C", "5S 6D 6C")):
        assert find_class(PACK, parse(one))[0] != find_class(PACK, parse(other))[0]


def test_each_hand_has_its_class_in_each_order_and_equal_classes_are_equally_strong() -> None:
    rules = get_rules()
    strengths: dict[object, int] = {}
    for hand in Random("hands").sample(list(combinations(rules.whole_pack.cards, HAND_SIZE)), 500):
        keys = set()
        for cards in permutations(hand):
            key, slots = find_class(PACK, cards)
            keys.add(key)
            ranks = [rules.whole_pack.rank_index[cards[slot]] for slot in slots]
            assert ranks == sorted(ranks)
        (key,) = keys
        a, b, c = [card.number for card in hand]
        assert strengths.setdefault(key, rules.strengths[a][b][c]) == rules.strengths[a][b][c]
        assert key in number_classes()


@pytest.mark.full
def test_the_solver_does_the_same_in_plain_python(tmp_path: Path) -> None:
    """Its situations, files and replies, in far less time than compiling it takes."""
    pytest.importorskip("numba")
    process = subprocess.run(
        [sys.executable, "-m", "tests.bots.barter_equilibrium_solver", str(tmp_path)],
        cwd=Path(__file__).parents[2],
        env={**environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


@pytest.fixture
def checks() -> Any:
    pytest.importorskip("numba")
    return import_module("tests.bots.barter_equilibrium_solver")


@pytest.mark.full
def test_situations_and_choices_are_those_of_the_solver(checks: Any) -> None:
    """In matches at random, of both deals, on the arena's rules and on the compiled ones."""
    assert checks.compare_situations(30) > 20


def test_a_choice_is_an_action_for_the_card_in_its_place() -> None:
    trade, barter, give = GIVE_ACTIONS["trade"], GIVE_ACTIONS["barter"], GIVE_ACTIONS["give"]
    slots = (2, 0, 1)  # the lowest card is in the last slot
    assert [CHOICES[find_choice(action, slots)] for action in (*trade, *barter, *give)] == list("231bcabca")
    assert CHOICES[find_choice(STAND, slots)] == "s"


class Unasked:
    """Player for hands that the play does not know, which counts them and plays at random."""

    def __init__(self) -> None:
        self.asked, self.rng = 0, Random("unknown")

    def act(self, view: View) -> Action:
        self.asked += 1
        return self.rng.choice(view.legal)


def test_the_play_in_the_file_knows_nearly_all_that_happens() -> None:
    """Against itself, and against play at random."""
    rules, rng = get_rules(), Random("file")
    for is_random, most in ((False, 0.002), (True, 0.05)):
        player, unknown, decisions = make_player(), Unasked(), 0
        player.retuned = unknown  # type: ignore[assignment]
        for number in range(100):
            match = rules.match(2, f"file/{number}")
            while not match.is_over:
                view = get_view(match)
                is_other = is_random and view.seat == number % 2
                match.apply(rng.choice(view.legal) if is_other else player.act(view))
                decisions += not is_other
        assert decisions > 200
        assert unknown.asked <= most * decisions


def test_three_aces_stand_at_once_where_they_win_the_match() -> None:
    opening = next(situation for situation in list_situations() if LEADS[situation.lead] == 1)
    choices = load_play()[GAME].last[str(opening)]
    key, _ = find_class(PACK, parse("AS AD AC"))
    assert choices[number_classes()[key]] == "s"
    assert UNKNOWN not in choices


@pytest.mark.parametrize(
    ("players", "options", "kind"), [(2, {}, EquilibriumPlayer), (2, {"deals": 4}, Retuned), (3, {}, Retuned)]
)
def test_expert_plays_it_between_two_with_no_options(
    players: int, options: dict[str, int], kind: type[object]
) -> None:
    rules = get_rules(**options)
    assert isinstance(make_plain(Info.of(rules, seat=0, players=players, key="kind")), kind)


@pytest.mark.full
def test_the_same_seed_writes_the_same_file_and_a_reply_reads_it(checks: Any, tmp_path: Path) -> None:
    checks.solve_twice(tmp_path, 1400)
