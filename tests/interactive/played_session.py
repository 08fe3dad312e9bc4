"""A person who plays a session by a rule, as a page in a browser would."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from arena.games import variant
from arena.interactive.seated_match import choose_opponents
from arena.interactive.session import BrowserSession, MatchSeries, SeriesSetup

Json = dict[str, Any]
TIMEOUT_S = 60.0


def begin_series(
    name: str, *, players: int = 3, rival: bool = False, seed: str = "any text", **options: Any
) -> MatchSeries:
    """Begin a series at seat 0, against bots that know the game unless others are named."""
    may_take_back, against = options.pop("may_take_back", False), options.pop("against", ())
    rules = variant(name, **options)
    bots = choose_opponents(rules, against, players, "auto")
    setup = SeriesSetup(
        rules=rules, opponents=bots, rival=bots[0] if rival else None, may_take_back=may_take_back
    )
    return MatchSeries(setup, seed)


def wait(played: MatchSeries | BrowserSession, after: int = 0) -> Json:
    """Return the state after a step once it waits for the person."""
    with ThreadPoolExecutor(1) as executor:  # Playwright leaves a loop running in the thread of the tests
        return executor.submit(asyncio.run, played.wait(after, TIMEOUT_S)).result()


def list_actions(state: Json) -> list[Json]:
    """Return the legal actions of a decision."""
    return [action for group in state["decision"]["groups"] for action in group["actions"]]


def choose_at_random(seed: str) -> Callable[[Json], str]:
    """Return a rule that chooses any legal action."""
    rng = Random(seed)
    return lambda state: rng.choice(list_actions(state))["text"]


def play_to_end(series: MatchSeries, choose: Callable[[Json], str]) -> Json:
    """Play the match to its end and return the last state."""
    state = wait(series)
    while state["phase"] != "match-over":
        if state["phase"] == "decision":
            series.session.act(state["step"], choose(state))
        else:
            assert state["phase"] == "deal-over", state
            series.session.proceed(state["step"])
        state = wait(series, state["step"])
    return state
