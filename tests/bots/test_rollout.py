"""The bot `rollout`: the same decisions each time, within its limits, and better than its heuristic."""

from random import Random
from typing import Any

import pytest

from arena.errors import SamplingError
from arena.games import VARIANTS, Action, Match, Rules, View, variant
from arena.play import Info, play_match
from bots import rollout
from bots.retuned import Retuned
from bots.rollout import FIRST_CHECK, MAX_RIVALS, Rival, Rollout, find_significant_lead, pick
from tests.games.support.random_play import positions, table_name

LIVES = variant("lives")


def bot(rules: Rules, players: int = 3, **settings: Any) -> Rollout:
    return Rollout(Info.of(rules, seat=0, players=players, key="rollout", settings=settings))


def rival(*differences: float) -> Rival:
    action = LIVES.match(2, "any").deal.legal_actions.actions[0]
    made = Rival(action)
    for difference in differences:
        made.add(difference)
    return made


def view_of(match: Match) -> View:
    assert match.seat_to_act is not None
    return match.view(match.seat_to_act)


@pytest.mark.parametrize("rules", VARIANTS, ids=table_name)
def test_it_decides_the_same_each_time_in_every_game(rules: Rules) -> None:
    for match in positions(rules, 3, "rollout", 3):
        view = view_of(match)
        chosen = [bot(rules, playouts=20).act(view) for _ in range(2)]
        assert chosen[0] is chosen[1]
        assert chosen[0] in view.legal


def test_it_leaves_the_usual_action_only_for_a_clear_lead() -> None:
    clear, close, early = rival(*[1, 2] * 4), rival(*[3, -2] * 4), rival(1, 2)
    assert pick([close, clear]) is clear.action
    assert pick([close]) is None
    assert pick([early]) is None
    assert pick([]) is None


def test_a_lead_among_many_is_significant_only_if_it_is_larger() -> None:
    """In eight worlds four standard errors are enough for one action, not for the best of sixteen."""
    leading = rival(*[2, 2, 2, 2, 0, 0, 2, 2])
    assert leading.lead / leading.error() == pytest.approx(4.58, abs=0.01)
    assert pick([leading], 1) is leading.action
    assert pick([leading], 16) is None


@pytest.mark.parametrize(("worlds", "tried", "quantile"), [(31, 1, 2.457), (21, 2, 2.845), (61, 10, 3.232)])
def test_a_significant_lead_is_a_quantile_of_student(worlds: int, tried: int, quantile: float) -> None:
    """Tables have these for 99 % at 30 degrees of freedom, 99.5 % at 20 and 99.9 % at 60."""
    assert find_significant_lead(worlds, tried) == pytest.approx(quantile, abs=0.01)


def test_it_plays_as_retuned_where_playouts_show_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """At cambio the constants of `retuned` make a difference to single decisions."""
    rules = variant("cambio")
    info = Info.of(rules, seat=0, players=2, key="rollout")
    made, retuned, heuristic = Rollout(info), Retuned(info), info.heuristic()
    monkeypatch.setattr(made, "play_out", lambda *_: 0.0)
    views = [view_of(match) for match in positions(rules, 2, "usual", 40)]
    assert all(made.act(view) is retuned.act(view) for view in views)
    assert any(made.act(view) is not heuristic.act(view) for view in views)


def test_the_error_is_that_of_a_sum_of_differences() -> None:
    """Four differences with a standard deviation of 2/√3: the sum has an error of √4 times that."""
    assert rival(1, -1, 1, -1).error() == pytest.approx(2 * (4 / 3) ** 0.5)


@pytest.mark.parametrize("playouts", [1, 150])
def test_it_plays_out_as_many_deals_as_it_may(playouts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    view, made = view_of(LIVES.match(2, "budget")), bot(LIVES, 2, playouts=playouts)
    usual, calls = made.retuned.act(view), []

    def play_out(world: Match, action: Action, seat: int) -> float:
        calls.append(action)
        return float(action is not usual)

    monkeypatch.setattr(made, "play_out", play_out)
    made.act(view)
    world = len(view.legal)
    worlds = max(FIRST_CHECK, -(-playouts // world))
    assert len(calls) == worlds * world


def test_it_tries_the_best_hands_where_there_are_many_exchanges() -> None:
    pool = variant("pool")
    view = next(view for match in positions(pool, 3, "many", 20) if len((view := view_of(match)).legal) > 17)
    made = bot(pool)
    usual = made.retuned.act(view)
    tried = made.choose_rivals(view, usual)
    assert len(tried) == MAX_RIVALS
    rank = pool.rank_table
    left = [action for action in view.legal if action not in tried and action is not usual]
    assert all(action.give for action in left)
    worst = min(rank[view.after(action)] for action in tried if action.give)
    assert all(rank[view.after(action)] <= worst for action in left)


def test_a_call_of_cambio_is_left_to_the_usual_play() -> None:
    rules = variant("cambio")
    made = bot(rules, 2)
    views = [view_of(match) for match in positions(rules, 2, "call", 40)]
    calls = [action for view in views for action in view.legal if action.kind == "cambio"]
    tried = [candidate for view in views for candidate in made.choose_rivals(view, made.retuned.act(view))]
    assert calls
    assert tried
    assert not set(calls) & set(tried)


def test_settings_are_checked() -> None:
    record = play_match(LIVES, [{"bot": "rollout", "playouts": 0}, "greedy"], seed="settings")
    assert record["faults"][0]["kind"] == "no-start"


def test_a_world_counts_less_for_each_surprise(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a weight near 0 only worlds are left in which the others acted as the heuristic would have."""
    rules = variant("thirty-one")
    made = bot(rules, 2)
    match = rules.match(2, "weighed")
    for _ in range(6):
        match.apply(made.heuristic.act(view_of(match)))
    view = view_of(match)

    def count_surprises(weight: float) -> int:
        monkeypatch.setattr(rollout, "SURPRISE_WEIGHT", weight)
        worlds = made.draw_worlds(view)
        decisions = [decision for _ in range(10) for decision in rules.decisions(next(worlds).deal)]
        return sum(made.heuristic.act(seen) is not action for seen, action in decisions)

    monkeypatch.setattr(rollout, "BATCH", 500)
    monkeypatch.setattr(rollout, "KEPT", 10)
    assert count_surprises(1) > 0
    assert count_surprises(1e-9) == 0


def test_it_stops_at_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(1000))
    monkeypatch.setattr(rollout, "perf_counter", lambda: next(ticks) / 1000)
    made = bot(LIVES, 2, ms=5)
    values = Random(1)
    monkeypatch.setattr(made, "play_out", lambda *_: values.random())
    made.act(view_of(LIVES.match(2, "time")))
    assert next(ticks) == 6


def test_it_plays_without_playouts_where_no_world_is_found(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(rules: Rules, view: View, rng: Random, count: int) -> Any:
        raise SamplingError("none of 300 deals fits")

    monkeypatch.setattr(type(LIVES), "samples", refuse)
    rollout.warn_of_sampling.cache_clear()
    record = play_match(LIVES, [Rollout, Rollout], seed="no worlds")
    monkeypatch.undo()
    assert record["faults"] == []
    assert record["deals"] == play_match(LIVES, [Retuned, Retuned], seed="no worlds")["deals"]
    messages = [entry.getMessage() for entry in caplog.records]
    assert messages == [
        "rollout plays lives without playouts for the rest of a match: none of 300 deals fits"
    ]
