"""Bots for the tests of play: some that play, some that fail, each in its own way."""

from typing import Any

from arena.games import View
from arena.games.action import Action
from arena.play import Bot


class Anything(Bot):
    """Plays any legal action."""

    def act(self, view: View) -> Action | str:
        return view.legal[int(self.rng.random() * len(view.legal))]


class Quiet:
    """Passes where it can, else does what comes last: made without arguments, and no child of Bot."""

    def act(self, view: View) -> str:
        texts = [view.text(action) for action in view.legal]
        return "pass" if "pass" in texts else texts[-1]


class Listening(Anything):
    """Plays anything, and keeps all it hears and sees, deal by deal."""

    def __init__(self, info: Any) -> None:
        super().__init__(info)
        self.heard: list[list[str]] = [[]]
        self.seen: list[list[tuple[str, ...]]] = [[]]
        self.results: list[dict[str, Any]] = []

    def act(self, view: View) -> Action | str:
        self.seen[-1].append(view.events)
        assert self.heard[-1] == list(view.events)
        return super().act(view)

    def observe(self, event: str) -> None:
        self.heard[-1].append(event)

    def deal_over(self, result: dict[str, Any]) -> None:
        self.results.append(result)
        self.heard.append([])
        self.seen.append([])
