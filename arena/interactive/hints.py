"""Hints: the action a built-in bot would choose, with a reason if there is a short one."""

from typing import Any, Final

from arena.games import View
from arena.games.action import Action
from arena.output.words.cards import get_family_text
from arena.play import Info
from arena.play.bot import make_factory
from arena.plugins import InstalledBot

GUESSING: Final = "random"
"""The bot of games whose family recommends none."""


class HintBot:
    """A built-in bot that is given the views of a person and suggests actions."""

    def __init__(self, info: Info) -> None:
        self.name = get_family_text(info.rules).recommended_bots(info.rules)[0]
        self._bot: Any = make_factory(InstalledBot(self.name).load())(info)
        self._last: tuple[View, Action] | None = None

    def hint(self, view: View) -> str:
        """Return the suggested action, and in a second line the reason."""
        action, reason = self.suggest(view)
        suggestion = f"{self.name} would play {view.text(action)}"
        return f"{suggestion}\n{reason}" if reason else suggestion

    def suggest(self, view: View) -> tuple[Action, str]:
        """Return an action and the reason, empty if there is no short one; the same for the same view."""
        if self._last is None or self._last[0] is not view:
            answer = self._bot.act(view)
            self._last = view, view.parse(answer) if isinstance(answer, str) else answer
        action = self._last[1]
        if self.name == GUESSING:
            return action, "no bot knows this game: any action is as good"
        return action, get_family_text(view.opening.rules).hint_reason(view, action)
