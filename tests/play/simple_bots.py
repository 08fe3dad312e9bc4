"""Bots for the tests of play: some that play, some that fail, each in its own way."""

from typing import Any

from arena.games import View
from arena.games.action import Action
from arena.play import Bot, Info


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
    """Plays anything and keeps all it hears, deal by deal: whenever it is asked, that is what it sees."""

    def __init__(self, info: Info) -> None:
        super().__init__(info)
        self.heard: list[list[str]] = [[]]
        self.results: list[dict[str, Any]] = []
        self.asked = 0

    def act(self, view: View) -> Action | str:
        self.asked += 1
        assert self.heard[-1] == list(view.events)
        assert len(view.legal) > 1
        return super().act(view)

    def observe(self, event: str) -> None:
        self.heard[-1].append(event)

    def deal_over(self, result: dict[str, Any]) -> None:
        self.results.append(result)
        self.heard.append([])


class Together(Anything):
    """As Anything, but it answers for many matches at once."""

    @staticmethod
    def act_many(bots: "list[Together]", views: list[View]) -> list[Action | str]:
        """Each bot's own answer to its own view."""
        return [bot.act(view) for bot, view in zip(bots, views, strict=True)]


class Counting(Bot):
    """Counts how often it is asked, and fails each time with what `answer` gives."""

    answer: Any = None

    def __init__(self, info: Info) -> None:
        super().__init__(info)
        self.asked = 0

    def act(self, view: View) -> Any:
        self.asked += 1
        return type(self).answer
