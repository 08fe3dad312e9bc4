"""Subjects of the table of coverage beside tournaments played to their end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from benchmarks import model_fit
from benchmarks.coverage_comparisons import (
    GRADE_LAWS,
    draw_extended,
    draw_grade,
    draw_league,
    draw_looks,
    draw_plan,
    draw_selection,
    draw_separation,
    draw_sprt,
    draw_stop,
)
from benchmarks.coverage_exceptions import (
    draw_field,
    draw_matrix,
    draw_mean,
    draw_payoff,
    draw_rare_losses,
    draw_season,
    draw_track,
)
from benchmarks.coverage_hopeless import ALL_TABLES, draw_hopeless
from benchmarks.coverage_level import FIELDS, draw_growing_league, draw_level, draw_young_league
from benchmarks.coverage_names import (
    BATCH,
)
from benchmarks.coverage_ratings import (
    draw_game,
    draw_lopsided,
    draw_overall,
    draw_places,
    draw_profiles,
)
from benchmarks.sequential_tests import (
    FIRST_LOOKS,
    LAWS,
)

Draw = Callable[[np.random.Generator], dict[str, float]]


class Subject(NamedTuple):
    """A subject of the table of coverage.

    Attributes:
        draw: Returns the shares of one draw.
        part: Draws per trial asked for: less than 1 where a draw takes long.
        batch: Number of repetitions in a draw, of which it returns the mean shares.
    """

    draw: Draw
    part: float = 1.0
    batch: int = 1


SUBJECTS: Final[dict[str, Subject]] = {
    **{
        f"{field}, {seats} seats, {blocks} blocks a bot": Subject(
            partial(draw_lopsided, field, seats, blocks), 2
        )
        for field, seats, blocks in [
            ("one ahead", 2, 6),
            ("one ahead", 2, 20),
            ("one ahead", 6, 6),
            ("halves", 2, 10),
            ("halves", 4, 6),
            ("far", 2, 6),
            ("far", 4, 20),
        ]
    },
    **{
        f"{field}, {seats} seats, {blocks} blocks a table": Subject(
            partial(draw_hopeless, field, seats, blocks, 0, False), 4
        )
        for field in ALL_TABLES
        for seats, blocks in [(2, 20), (3, 8), (4, 12)]
    },
    **{
        f"{field}, one table of all, {blocks} blocks": Subject(
            partial(draw_hopeless, field, seats, blocks, 0, False), 4
        )
        for field, seats, blocks in [
            ("six equals", 6, 6),
            ("six equals", 6, 40),
            ("ten equals", 10, 6),
            ("ten equals", 10, 12),
            ("three equals above three", 6, 12),
            ("four over 100 Elo", 4, 200),
            ("six over 250 Elo", 6, 40),
        ]
    },
    **{
        f"one hopeless of 10, 3 seats, 30 tables drawn, 6 blocks, {name} errors": Subject(
            partial(draw_hopeless, "one hopeless of 10", 3, 6, 30, is_anytime), 2
        )
        for name, is_anytime in [("fixed", False), ("anytime", True)]
    },
    **{
        f"mixtures of two bots at {variant}, {players} seats, 40 blocks a bot": Subject(
            partial(draw_game, variant, players, strong, weak)
        )
        for variant, players, strong, weak in [
            ("lives", 2, "greedy", "prudent"),
            ("lives", 4, "greedy", "prudent"),
            ("thirty-one", 4, "thirty", "stand-pat"),
        ]
    },
    "provisional places: 12 bots over 200 Elo, 4 seats, 60 tables of 40 blocks": Subject(
        partial(draw_places, np.linspace(100, -100, 12).tolist(), 30, 4, 60, 40)
    ),
    "provisional places: 30 bots over 10 Elo, 4 seats, 200 tables of 10 blocks": Subject(
        partial(draw_places, np.linspace(5, -5, 30).tolist(), 0, 4, 200, 10)
    ),
    "provisional places: 12 bots over 200 Elo, 2 seats, 6 blocks a table": Subject(
        partial(draw_places, np.linspace(100, -100, 12).tolist(), 30, 2, 0, 6)
    ),
    "provisional places: opponents known to 500 Elo, 4 seats, 4 blocks a table": Subject(
        partial(draw_places, [450, 400, -350, -400, -450], 380, 4, 0, 4)
    ),
    "provisional places: one hopeless of 5, 4 seats, 12 blocks a table": Subject(
        partial(draw_places, [100, 50, -50, -100, -1000], 0, 4, 0, 12)
    ),
    **{f"level of {field}, 20 then 60 blocks a bot": Subject(partial(draw_level, field)) for field in FIELDS},
    "level of a league that grows": Subject(draw_growing_league),
    "overall, three games of six bots": Subject(draw_overall),
    **{
        f"overall of a young league of four, {blocks} and {blocks // 6} blocks": Subject(
            partial(draw_young_league, blocks)
        )
        for blocks in (60, 120, 300)
    },
    "six bots with anytime errors, extended 12 times": Subject(draw_extended, 0.5),
    **{
        f"league of 12 bots, three updates, third bots move {effect} Elo": Subject(
            partial(draw_league, effect), 0.15
        )
        for effect in (0, 26)
    },
    **{
        f"two equals with anytime errors, {law} scores, a look at every block": Subject(
            partial(draw_looks, law), 0.1, BATCH
        )
        for law in LAWS
    },
    **{
        f"until resolved, two equals, {law} scores, first look at {first} blocks": Subject(
            partial(draw_separation, law, first), 0.1, BATCH
        )
        for law in LAWS
        for first in FIRST_LOOKS
    },
    **{f"compare, two equals, {law} scores": Subject(partial(draw_stop, law, 0, None), 2) for law in LAWS},
    **{f"compare, {elo} Elo apart": Subject(partial(draw_stop, "normal", elo, None), 2) for elo in (20, 80)},
    **{f"grade, an equal, {law} scores": Subject(partial(draw_grade, law, 1), 20) for law in GRADE_LAWS},
    **{
        f"league grade, 20 versions of an equal, {law} scores": Subject(partial(draw_grade, law, 20), 4)
        for law in ("normal", "skewed", "10 % lost")
    },
    **{f"sprt 0,20, {elo} Elo apart": Subject(partial(draw_sprt, elo)) for elo in (0, 20)},
    "compare of eight, seven equals and one better by 0.001": Subject(
        partial(draw_selection, (*[0.0] * 7, 0.001), "best"), 0.5
    ),
    "compare for the order of eight, evenly spaced by 0.1": Subject(
        partial(draw_selection, np.linspace(0, 0.7, 8).tolist(), "rank")
    ),
    **{
        f"compare of {size} exact equals": Subject(partial(draw_selection, [0.0] * size, "best"), 0.5)
        for size in (3, 5, 8)
    },
    **{
        f"track, score {score:.0%}, {seats} seats, {blocks} blocks".replace("%", " %"): Subject(
            partial(draw_track, score, seats, blocks), 5
        )
        for score, seats, blocks in [(0.5, 2, 6), (0.8, 4, 10), (0.95, 2, 20), (0.95, 6, 10)]
    },
    **{
        f"mean of {blocks} blocks (why, tune, exploit), {law} scores": Subject(
            partial(draw_mean, law, blocks), 10
        )
        for law in LAWS
        for blocks in (12, 100)
    },
    "mean payoff or placing, 40 blocks": Subject(partial(draw_payoff, 40), 3),
    **{
        f"mean payoff, a large loss in 5 % of blocks, {blocks} blocks": Subject(
            partial(draw_rare_losses, blocks), 10
        )
        for blocks in (20, 100)
    },
    "7 bots, 4 seats, 12 blocks a table, nothing exceptional": Subject(partial(draw_matrix, 12)),
    **{f"nothing exceptional: {field}": Subject(partial(draw_field, field)) for field in model_fit.HONEST},
    **{
        f"20 honest bots, 4 seats, 600 tables drawn, third bots move {effect} Elo": Subject(
            partial(draw_season, effect), 0.3
        )
        for effect in (0, 26)
    },
    "three games, one profile": Subject(draw_profiles),
    **{
        f"plan, {elo} Elo apart, {pilot} blocks so far": Subject(partial(draw_plan, elo, pilot), 2)
        for elo in (20, 80)
        for pilot in (12, 32)
    },
    "plan, 20 Elo apart, 200 blocks so far": Subject(partial(draw_plan, 20, 200), 2),
}
