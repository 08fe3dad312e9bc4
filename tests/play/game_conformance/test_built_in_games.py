"""Every installed game passes the check that strangers' games pass."""

from collections import Counter
from random import Random

import pytest

from arena.adapters.observation import observe_view
from arena.games import VARIANTS, Rules, variant
from arena.play.game_conformance import check_game
from arena.play.game_conformance.checks import CheckState
from arena.play.game_conformance.matches import MatchLog, play_logged
from arena.play.game_conformance.positions import check_known, check_table_events
from arena.play.game_conformance.worlds import (
    FALSE_ALARM,
    TooManyWorlds,
    cut_packs,
    enumerate_worlds,
    fit_probability,
)
from tests.adapters.test_action_space import OPTIONS

GAMES = [*VARIANTS, *OPTIONS, variant("pounce", private_take=True, max_exchange=3)]
NOT_ENUMERATED = {"whisky-poker", "cox"}
"""Games whose smallest deal leaves more worlds than are tried; `tests/families` tests their samples."""
QUICK = {
    *("lives", "pounce", "trentuno", "bastard-brag", "ready-money", "trade-and-barter-consent", "thirty-one"),
    "cuccu",
}
"""Games whose worlds are enumerated in the short form, too."""


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, marks=[pytest.mark.full] if rules in OPTIONS[1::2] else [], id=str(rules))
        for rules in GAMES
    ],
)
def test_it_passes(rules: Rules) -> None:
    findings = check_game(
        rules, matches=4, uniformity_tests=str(rules) in QUICK, fresh_process=False, observe=observe_view
    )
    assert (findings.issues, findings.notes) == ((), ())
    assert findings.counts.redeals >= 20
    assert findings.counts.worlds >= 20
    assert findings.counts.uniformity_tests == (str(rules) in QUICK)


def test_discards_that_go_back_to_the_stock_are_no_news() -> None:
    """With eight players cambio reshuffles, and a seat draws one of those cards in the same turn."""
    state = CheckState(variant("cambio", snap=True), None)
    log = MatchLog(state.plan(7))
    match = next(match for match in play_logged(log) if len(log.steps) == 143)
    assert "reshuffle" in match.view(7).events
    for seat in range(8):
        assert [*check_known(match, seat), *check_table_events(match, seat)] == []


def test_cards_that_are_put_back_without_end_are_too_many_worlds() -> None:
    small = next(cut_packs(variant("rat-a-tat", put_back=True), Random("rat-a-tat, few cards")))
    match = small.match(2, "rat-a-tat, few cards 5")
    assert match.seat_to_act is not None
    with pytest.raises(TooManyWorlds):
        enumerate_worlds(match, match.seat_to_act)


@pytest.mark.full
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_it_passes_in_full(rules: Rules) -> None:
    """More matches, some of them in a new process, and samples are compared with an enumeration."""
    findings = check_game(rules, matches=200, observe=observe_view)
    assert findings.issues == ()
    assert bool(findings.counts.uniformity_tests) == (rules.name not in NOT_ENUMERATED)
    assert findings.counts.fresh_matches == 20


def test_the_probability_of_a_fit_is_right_where_each_world_is_expected_twelve_times() -> None:
    """Of uniform samples, 5 % have a probability below 0.05; biased ones one below the threshold."""
    rng, worlds = Random(1), range(50)
    odds = dict.fromkeys(worlds, 1 / len(worlds))
    fits = []
    for _ in range(400):
        drawn = Counter(rng.choices(worlds, k=12 * len(worlds)))
        fits.append(fit_probability(odds, drawn, drawn.total()))
    assert 0.02 < sum(fit < 0.05 for fit in fits) / len(fits) < 0.09
    assert min(fits) > FALSE_ALARM
    biased = Counter(max(rng.choices(worlds, k=2)) for _ in range(12 * len(worlds)))
    assert fit_probability(odds, biased, biased.total()) < FALSE_ALARM
