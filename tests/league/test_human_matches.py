"""Ratings of people from matches on the cards of a bot."""

from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest

from arena.league.folder import LeagueFolder
from arena.league.human_matches import (
    RatedMatch,
    begin_match,
    end_match,
    forget_interrupted,
    rate_person,
    read_matches,
)
from arena.league.server_database import ServerDatabase
from arena.rating.bradley_terry import expected_score

GAME = ("cuccu", 3)
ELO = {1: 1600.0, 2: 1500.0, 3: 1400.0}


def match(own: float, rival: float | None) -> RatedMatch:
    return RatedMatch(GAME, 1, (2, 3), own, rival)


def test_who_does_as_the_rival_has_its_rating() -> None:
    rating = rate_person(GAME, [match(score, score) for score in (0.0, 0.5, 1.0) * 5], ELO)
    assert rating is not None
    assert rating.elo == pytest.approx(1600, abs=0.01)
    assert (rating.error, rating.matches) == (None, 15)


def test_a_match_left_unfinished_counts_as_lost() -> None:
    left = rate_person(GAME, [match(0.0, None)] * 8, ELO)
    lost = rate_person(GAME, [match(0.0, 0.6)] * 8, ELO)
    assert left is not None
    assert lost is not None
    assert left.elo < lost.elo + 200
    assert left.elo < 1400


def test_without_matches_of_rated_bots_there_is_no_rating() -> None:
    assert rate_person(GAME, [], ELO) is None
    assert rate_person(GAME, [match(1.0, 0.0)], {1: 1600.0, 2: 1500.0}) is None


def test_few_matches_have_no_error_and_extreme_scores_a_rating() -> None:
    best = rate_person(GAME, [match(1.0, 0.0)] * 5, ELO)
    assert best is not None
    assert best.error is None
    assert 1600 < best.elo <= 2600


@pytest.mark.parametrize("strength", [1450.0, 1700.0])
def test_the_interval_covers_the_strength_that_results_were_drawn_from(strength: float) -> None:
    rng, covered, ratings = Random(7), 0, []
    for _ in range(120):
        matches = []
        for _ in range(60):
            luck = [rng.random() for _ in range(2)]  # the same cards: the same draws for both
            own, rival = (
                fmean([draw < expected_score(elo - ELO[bot]) for draw, bot in zip(luck, (2, 3), strict=True)])
                for elo in (strength, ELO[1])
            )
            matches.append(match(own, rival))
        rating = rate_person(GAME, matches, ELO)
        assert rating is not None
        assert rating.error is not None
        covered += abs(rating.elo - strength) <= rating.error
        ratings.append(rating.elo)
    assert covered >= 0.88 * 120
    assert fmean(ratings) == pytest.approx(strength, abs=4 * stdev(ratings) / 120**0.5 + 3)


def test_matches_are_stored_once_and_those_of_a_killed_server_forgotten(tmp_path: Path) -> None:
    league = LeagueFolder.create(tmp_path / "course", "", ["cuccu"])
    with ServerDatabase.open(league) as database:
        first, second, third = (begin_match(database, "ann", GAME, 1, (2, 3)) for _ in range(3))
        end_match(database, first, 1.0, 0.5)
        end_match(database, first, 0.0, None)
        end_match(database, second, 0.0, None)
        assert read_matches(database) == {"ann": [match(1.0, 0.5), match(0.0, None)]}
        forget_interrupted(database)
        end_match(database, third, 1.0, 0.0)
        assert len(read_matches(database)["ann"]) == 2
