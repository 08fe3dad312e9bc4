"""The built-in bots: at home in every game, and as strong as they say."""

from typing import Any

import msgspec
import pytest

from arena.games import VARIANTS, Rules
from arena.play import Info, play_match
from arena.plugins import InstalledBot, discover

BOTS = [entry.name for entry in discover() if entry.built_in]
KERNEL = pytest.mark.xdist_group("kernel")  # compiled once a worker
HOME = {
    "thirty": "thirty-one",
    "thrifty": "ready-money",
    "cautious": "cuccu",
    "rememberer": "cambio",
    "collector": "cox",
}


def bot(name: str) -> type:
    return InstalledBot(name).load()


ONE_OF_EACH_FAMILY = {rules.family: rules.name for rules in reversed(VARIANTS)}.values()


def choose_marks(name: str, rules: Rules) -> Any:
    """Return the case of a bot in a game.

    In the short form `expert` is compiled for `lives` alone, and others play one game of each family: under
    other options, `test_all_options` has them play every game.
    """
    marks = [KERNEL] if name == "expert" else []
    if rules.name not in {"expert": {"lives"}}.get(name, ONE_OF_EACH_FAMILY):
        marks.append(pytest.mark.full)
    return pytest.param(name, rules, marks=marks, id=f"{name}-{rules}")


@pytest.mark.parametrize(
    ("name", "rules"), [choose_marks(name, rules) for name in BOTS for rules in VARIANTS]
)
def test_a_built_in_bot_never_fails_in_any_game(name: str, rules: Rules) -> None:
    others = [bot("random"), bot("stand-pat")]
    record = play_match(rules, [bot(name), *others], seed=name)
    assert record["faults"] == []


@pytest.mark.parametrize(
    ("name", "game"),
    [*HOME.items(), *[("simple", game) for game in ("thirty-one", "cuccu", "cambio", "cox")]],
)
def test_a_bot_made_for_a_game_beats_random_there(name: str, game: str) -> None:
    if name not in BOTS:
        pytest.fail(f"{name} is not installed")
    rules = next(rules for rules in VARIANTS if rules.name == game)
    better = 0
    for match in range(30):
        seats = [bot("random")] * 2
        seats.insert(match % 3, bot(name))
        places = play_match(rules, seats, seed=f"{match}")["placings"]
        better += places[match % 3] == 1
    assert better > 15


def test_random_takes_any_action_about_as_often_at_its_first_and_later_decisions() -> None:
    rules = VARIANTS[0]
    match = rules.match(players=4, seed="even")
    view, random = match.view(match.seat_to_act or 0), bot("random")
    info = Info.of(rules, seat=0, players=4, key="")
    bots = [random(msgspec.structs.replace(info, key=f"even/{seed}")) for seed in range(1100)]
    chosen = [player.act(view) for player in bots]
    assert len(set(chosen)) == 11
    assert min(map(chosen.count, view.legal)) > 60
    later = [bots[1].act(view) for _ in range(11_000)]
    assert min(map(later.count, view.legal)) > 850
