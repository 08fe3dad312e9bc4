"""Hostile bots of this process cause faults only, and cannot change shared objects."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from arena.errors import IllegalAction, PluginError
from arena.games import View, variant
from arena.games.action import Action
from arena.play import play_match
from tests.play.simple_bots import Quiet


def test_any_exception_is_a_fault_of_its_bot_only() -> None:
    class Cancelled(Quiet):
        def act(self, view: View) -> str:
            raise asyncio.CancelledError

    class Closed(Quiet):
        def act(self, view: View) -> str:
            raise GeneratorExit

    class Lookalike(Quiet):
        """Answers with something that only passes for an action."""

        def act(self, view: View) -> Any:
            return SimpleNamespace()

    faults = play_match(variant("lives"), [Cancelled, Lookalike, Closed, Quiet], "x")["faults"]
    kinds = {(fault["seat"], fault["kind"]) for fault in faults}
    assert kinds == {(0, "crash"), (1, "invalid"), (2, "crash")}


def test_fault_messages_are_safe_to_print(caplog: pytest.LogCaptureFixture) -> None:
    class Painting(Quiet):
        def act(self, view: View) -> str:
            raise ValueError("\x1b[31mred\x1b]0;title\x07")

    play_match(variant("lives"), [Painting, Quiet], "x")
    assert "\\x1b[31mred\\x1b]0;title\\x07" in caplog.text
    assert "\x1b" not in caplog.text


def test_objects_equal_to_an_action_are_played_as_it() -> None:
    class Equal:
        def __init__(self, action: Action) -> None:
            self.action = action

        def __hash__(self) -> int:
            return hash(self.action)

        def __eq__(self, other: object) -> bool:
            return other is self.action

    class Lookalike(Quiet):
        def act(self, view: View) -> Any:
            return Equal(view.legal[0])

    assert play_match(variant("lives"), [Lookalike, Quiet], "x")["faults"] == []


def test_objects_without_act_are_refused() -> None:
    with pytest.raises(PluginError, match="7 is not a bot"):
        play_match(variant("lives"), [7, Quiet], "x")


def test_games_and_bots_may_be_named() -> None:
    record = play_match("lives", ["greedy", Quiet, "random"], "x")
    assert (record["variant"], record["bots"]) == ("lives", ["greedy", "quiet", "random"])
    assert record["faults"] == []
    with pytest.raises(PluginError, match="greedy"):
        play_match("lives", ["gredy", Quiet], "x")


def test_an_action_cannot_be_changed() -> None:
    match = variant("lives").match(players=2, seed="x")
    action = match.deal.legal_actions.actions[0]
    with pytest.raises(AttributeError, match="not writable"):
        action.kind = "pass"  # type: ignore[misc]
    with pytest.raises(IllegalAction):
        match.apply([])
    with pytest.raises(IndexError, match="seat -1 of 2"):
        match.view(-1)
