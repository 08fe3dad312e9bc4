"""Heuristics: one for each family, for playouts."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from arena.families.cambio.actions import spot_action
from arena.families.cambio.heuristic import Constants, Rememberer
from arena.games import VARIANTS, Action, Rules, View
from arena.games.action import action
from arena.games.registry import list_families
from arena.play import Bot, Info, play_match
from arena.play.heuristics import Heuristic, make_heuristic
from bots.plain import Greedy
from tests.games.support.random_play import positions, table_name


def test_every_family_has_one() -> None:
    assert all(issubclass(family.load("heuristic"), Heuristic) for family in list_families().values())


@pytest.mark.parametrize("rules", VARIANTS, ids=table_name)
def test_one_instance_plays_deals_out_for_all_seats(rules: Rules) -> None:
    """It decides as instances of their own for each seat would."""
    infos = [Info.of(rules, seat=seat, players=3, key=str(seat)) for seat in range(3)]
    shared: list[Callable[[View], Action]] = [infos[0].heuristic().act] * 3
    matches = [rules.match(3, "heuristic") for _ in range(2)]
    matches[0].playout(shared)
    matches[1].playout([info.heuristic().act for info in infos])
    logs = [[event.text for event in match.finished_deals[0].log] for match in matches]
    assert logs[0] == logs[1]


class Follower(Bot):
    """Plays its game's heuristic."""

    def __init__(self, info: Info) -> None:
        super().__init__(info)
        self.heuristic = info.heuristic()

    def act(self, view: View) -> Action:
        return self.heuristic.act(view)


@pytest.mark.parametrize(("variant", "bot"), [("lives", "greedy"), ("cambio", "rememberer")])
def test_a_bot_can_play_its_heuristic(variant: str, bot: str) -> None:
    records: list[dict[str, Any]] = [
        play_match(variant, [bots, "stand-pat"], seed="follow") for bots in (Follower, bot)
    ]
    assert records[0]["deals"] == records[1]["deals"]
    assert not records[0]["faults"]


@pytest.mark.parametrize("rules", [rules for rules in VARIANTS if rules.family == "exchange"], ids=table_name)
def test_the_bot_greedy_decides_as_the_heuristic(rules: Rules) -> None:
    """The bot is written out as a model to learn from."""
    bot, heuristic = Greedy(), make_heuristic(rules)
    views = [match.view(match.seat_to_act or 0) for match in positions(rules, 3, "greedy", 30)]
    assert views
    assert all(bot.act(view) is heuristic.act(view) for view in views)


def test_rememberer_expects_less_of_a_kept_card_and_more_of_one_given() -> None:
    rules = next(rules for rules in VARIANTS if rules.name == "cambio")
    bot = Rememberer(rules, Constants(kept=3, given=2))
    place = action("place", (3,), template="place 4")
    swap = spot_action("swap", (0, 3), (1, 0))
    past = [SimpleNamespace(seat=0, action=place)]
    for seat, expected in ((1, {(0, 3): -3}), (0, {(0, 3): -3})):
        view: Any = SimpleNamespace(seat=seat, past=past)
        assert bot.find_offsets(view) == expected
    past.append(SimpleNamespace(seat=0, action=swap))
    for seat, given in ((1, 2), (0, -3)):
        view = SimpleNamespace(seat=seat, past=past)
        assert bot.find_offsets(view) == {(0, 3): 0, (1, 0): given}
