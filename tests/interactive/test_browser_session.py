"""A match answered from elsewhere: numbered states, answers that are too late, take-back, the score."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from arena.errors import ArenaError, IllegalAction, InvalidNotation
from arena.games import VARIANTS, Rules, variant
from arena.interactive.seated_match import SeatedMatch, choose_opponents
from arena.interactive.session import BrowserSession, MatchSeries, OutdatedStep
from arena.interactive.table import compare_results, sum_results
from arena.play import play_match
from arena.play.bot_processes import ProcessPool
from arena.play.records.record_check import check_lines
from tests.interactive.played_session import (
    TIMEOUT_S,
    begin_series,
    choose_at_random,
    list_actions,
    play_to_end,
    wait,
)


@contextmanager
def series_of(name: str, **options: Any) -> Iterator[MatchSeries]:
    """Begin a series and close it after the test."""
    series = begin_series(name, **options)
    try:
        yield series
    finally:
        series.close()


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_match_of_every_game_is_played_and_its_record_is_valid(rules: Rules) -> None:
    with series_of(rules.name) as series:
        state = play_to_end(series, choose_at_random(rules.name))
        [record] = series.finished_records()
    assert check_lines("it", [record]).matches == 1
    told = json.loads(record)
    assert (told["bots"][0], told["faults"]) == ("person", [])
    assert state["end"]["summary"].startswith("You came ")
    assert [row["placing"] for row in state["end"]["rows"]] == sorted(told["placings"])


def test_every_hand_that_an_action_makes_is_shown_before() -> None:
    with series_of("lives") as series:
        state = wait(series)
        exchange = next(
            action for action in list_actions(state) if tuple(action["places"]) == ("hand:0", "table:1")
        )
        own, [widow] = state["table"]["seats"][0], state["table"]["piles"]
        assert exchange["after"] == [widow["cards"][1], *own["cards"][1:]]
        assert widow["places"] == ["table:0", "table:1", "table:2"]
        assert exchange["text"] == f"{own['cards'][0]}>{widow['cards'][1]}"


def test_an_answer_counts_once_and_only_for_the_state_it_names() -> None:
    with series_of("lives", players=2, tokens=3) as series:
        first = wait(series)
        text = list_actions(first)[0]["text"]
        series.session.act(first["step"], text)
        for late in (first["step"], first["step"] + 1):
            with pytest.raises(OutdatedStep):
                series.session.act(late, text)
        second = wait(series, first["step"])
        assert second["step"] > first["step"]
        with pytest.raises(OutdatedStep):
            series.session.hint(first["step"])
        with pytest.raises(OutdatedStep):
            series.begin_next(second["step"], "another")
        assert wait(series) == second


def test_the_record_of_a_match_that_is_not_over_is_kept_back_for_its_seed() -> None:
    with series_of("lives") as series:
        state = wait(series)
        while state["phase"] == "decision":
            series.session.act(state["step"], list_actions(state)[-1]["text"])
            state = wait(series, state["step"])
        assert series.session.encode_record() is not None
        assert series.finished_records() == []


def test_nobody_waits_for_a_state_that_only_an_answer_can_bring() -> None:
    with series_of("lives") as series:
        state = wait(series)
        assert wait(series, state["step"] + 1_000_000) == state


def test_what_is_not_a_legal_action_changes_nothing() -> None:
    with series_of("lives") as series:
        state = wait(series)
        for text, error in (("take the king", InvalidNotation), ("horse", IllegalAction)):
            with pytest.raises(error):
                series.session.act(state["step"], text)
        assert wait(series) == state


def test_a_decision_is_taken_back_to_the_same_state() -> None:
    with series_of("thirty-one", may_take_back=True) as series:
        states = [wait(series)]
        assert not states[0]["can_take_back"]
        while len(states) < 6:  # into the second deal or the discards of the first
            last = states[-1]
            if last["phase"] == "decision":
                series.session.act(last["step"], list_actions(last)[0]["text"])
            else:
                series.session.proceed(last["step"])
            states.append(wait(series, last["step"]))
        decisions = [past for past in states[:-1] if past["phase"] == "decision"]
        step = states[-1]["step"]
        for expected in reversed(decisions):
            series.session.take_back(step)
            state = wait(series, step)
            assert (state["table"]["seats"], state["decision"]) == (
                expected["table"]["seats"],
                expected["decision"],
            )
            step = state["step"]
        with pytest.raises(ArenaError, match="no decision"):
            series.session.take_back(step)
        state = play_to_end(series, choose_at_random("x"))
        assert check_lines("it", series.finished_records()).matches == 1
        assert state["score"]["results"][0]["taken_back"] == len(decisions)


def test_the_same_answer_again_leads_to_the_same_match_even_against_bots_that_draw() -> None:
    def play_on(series: MatchSeries, state: dict[str, Any], states: int) -> list[dict[str, Any]]:
        states_seen = [state]
        while len(states_seen) < states and states_seen[-1]["phase"] != "match-over":
            last = states_seen[-1]
            if last["phase"] == "decision":
                series.session.act(last["step"], list_actions(last)[0]["text"])
            else:
                series.session.proceed(last["step"])
            states_seen.append(wait(series, last["step"]))
        return states_seen

    def shown(states: list[dict[str, Any]]) -> list[Any]:
        return [(state["phase"], state["table"]["seats"], state["table"]["deal"]) for state in states]

    with series_of("lives", against=["random", "random"], may_take_back=True) as series:
        first = play_on(series, wait(series), 14)
        assert {state["phase"] for state in first} == {"decision", "deal-over"}
        decisions = [place for place, state in enumerate(first[:-1]) if state["phase"] == "decision"]
        start, step = decisions[-5], first[-1]["step"]  # bots have drawn before
        for _ in range(5):
            series.session.take_back(step)
            step = wait(series, step)["step"]
        again = play_on(series, wait(series), len(first) - start)
        assert shown(again) == shown(first[start:])
        end = play_to_end(series, choose_at_random("x"))
        assert end["phase"] == "match-over"
        assert check_lines("it", series.finished_records()).matches == 1


def test_the_score_waits_for_a_rival_that_still_plays_when_the_person_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_play = Event()
    play_rival = BrowserSession._play_rival

    def wait_and_play(session: BrowserSession, *rest: Any) -> None:
        assert may_play.wait(TIMEOUT_S)
        play_rival(session, *rest)

    monkeypatch.setattr(BrowserSession, "_play_rival", wait_and_play)
    with series_of("cuccu", rival=True, tokens=1) as series:
        over = play_to_end(series, choose_at_random("x"))
        assert over["rival_plays"]
        first = series.session
        series.begin_next(over["step"], "another text")
        assert series.describe_score()["results"][0]["rival"] is None
        may_play.set()
        wait(first, over["step"])
        assert series.describe_score()["results"][0]["rival"]["bot"] == "cautious"


def test_a_match_is_ended_while_a_bot_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, asked, wait_for_bots = tmp_path / "slow.py", Event(), ProcessPool.wait

    def wait_and_note(pool: ProcessPool, seconds: float | None) -> float:
        if any(process.pending for process in pool):
            asked.set()
        return wait_for_bots(pool, seconds)

    bot.write_text("import time\nclass Slow:\n    def act(self, view):\n        time.sleep(60)\n")
    monkeypatch.setattr(ProcessPool, "wait", wait_and_note)
    rules = variant("cuccu")
    table = SeatedMatch(rules, choose_opponents(rules, [str(bot)], 3, "process"), "any text")
    raised = list[str]()

    def play() -> None:
        try:
            table.play()
        except KeyboardInterrupt:
            raised.append("left")

    playing = threading.Thread(target=play)
    playing.start()
    assert asked.wait(TIMEOUT_S)
    table.stop()
    playing.join(TIMEOUT_S)
    assert (raised, table.match.is_over) == (["left"], False)


def test_a_table_does_not_play_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.interactive.session.MAX_MATCHES", 2)
    with series_of("cuccu", tokens=1) as series:
        over = play_to_end(series, choose_at_random("x"))
        series.begin_next(over["step"], "another text")
        over = play_to_end(series, choose_at_random("x"))
        with pytest.raises(ArenaError, match="2 matches: sit down at another"):
            series.begin_next(over["step"], "a third text")
        assert wait(series) == over


def test_nothing_begins_at_a_closed_table() -> None:
    with series_of("cuccu", may_take_back=True, tokens=1) as series:
        over = play_to_end(series, choose_at_random("x"))
        series.close()
        for begin in (series.session.take_back, lambda step: series.begin_next(step, "another text")):
            with pytest.raises(OutdatedStep):
                begin(over["step"])
        assert wait(series)["problem"] == "This table was closed."


def test_nothing_is_taken_back_where_it_was_not_agreed() -> None:
    with series_of("lives") as series:
        state = wait(series)
        series.session.act(state["step"], list_actions(state)[0]["text"])
        state = wait(series, state["step"])
        assert not state["can_take_back"]
        with pytest.raises(ArenaError, match="no decision"):
            series.session.take_back(state["step"])


def test_a_bot_plays_the_same_cards_and_is_compared() -> None:
    with series_of("lives", rival=True, tokens=1) as series:
        over = play_to_end(series, choose_at_random("x"))
        state = over if not over["rival_plays"] else wait(series, over["step"])
        [result] = state["score"]["results"]
        rules = variant("lives", tokens=1)
        same = play_match(rules, ["counter", "counter", "greedy"], seed="any text")
        assert result["rival"] == {
            "bot": "counter",
            "placing": same["placings"][0],
            "payoff": same["payoffs"][0],
        }
        assert state["score"]["words"] == [compare_results("tokens", result["own"], result["rival"])]
        series.begin_next(over["step"], "another text")  # asked for before the rival's result came
        over = play_to_end(series, choose_at_random("y"))
        state = over if not over["rival_plays"] else wait(series, over["step"])
        assert state["match"] == 2
        assert state["score"]["words"][1].startswith("Over 2 matches: you ")
        assert check_lines("it", series.finished_records()).matches == 2


@pytest.mark.parametrize(
    ("unit", "own", "rival", "words"),
    [
        ("tokens", (-2, 3), (-3, 4), "You lost 2 tokens and came 3rd; expert lost 3 tokens and came 4th"),
        ("chips", (0, 2), (1, 1), "You kept your chips and came 2nd; expert won 1 chip and came 1st"),
        ("points", (-9, 2), (0, 1), "You made -9 points and came 2nd; expert made no points and came 1st"),
    ],
)
def test_results_are_compared_in_words(
    unit: str, own: tuple[int, int], rival: tuple[int, int], words: str
) -> None:
    mine = {"payoff": own[0], "placing": own[1]}
    theirs = {"payoff": rival[0], "placing": rival[1], "bot": "expert"}
    assert compare_results(unit, mine, theirs) == f"{words} on the same cards."


def test_payoffs_are_summed_over_matches() -> None:
    first = ({"payoff": -2}, {"payoff": 1, "bot": "expert"})
    second = ({"payoff": -2}, {"payoff": -1, "bot": "expert"})
    assert sum_results("tokens", [first, second]) == "Over 2 matches: you -4 tokens, expert 0."
