"""Bots whose play depends on everything that a view shows, by a checksum."""

from random import Random
from time import monotonic
from typing import Any
from zlib import crc32

from arena.games import View
from arena.games.action import Action
from arena.play import Bot, Info

HIDDEN = {"past", "public", "private", "opening"}


class Checksum(Bot):
    """Plays by a checksum of all it has seen and heard, and checks that both agree."""

    def __init__(self, info: Info) -> None:
        super().__init__(info)
        self.heard: list[str] = []
        self.sum = crc32(repr((info.variant, info.options, info.seat, info.players, info.key)).encode())

    def act(self, view: View) -> Action:
        assert self.heard == list(view.events)
        assert view.parse(view.text(view.legal[-1])) is view.legal[-1]
        values = [getattr(view, name) for name in dir(view) if name not in HIDDEN and name[0] != "_"]
        seen = [repr(value) for value in values if not callable(value)]
        seen += [repr(view.hands_after()), repr(view.opening.order), str(self.rng.random())]
        self.sum = crc32(repr(seen).encode(), self.sum)
        return view.legal[self.sum % len(view.legal)]

    def observe(self, event: str) -> None:
        self.heard.append(event)
        self.sum = crc32(event.encode(), self.sum)

    def deal_over(self, result: dict[str, Any]) -> None:
        self.heard = []
        self.sum = crc32(repr(result).encode(), self.sum)


class Searching(Bot):
    """Plays by what a world it has drawn holds."""

    def act(self, view: View) -> Action:
        world = view.sample(Random(str(view.events)))
        drawn = crc32(repr(world.deal.hands).encode())
        return view.legal[drawn % len(view.legal)]


class Together(Checksum):
    """Answers many questions at once."""

    @staticmethod
    def act_many(bots: "list[Together]", views: list[View]) -> list[Action]:
        """Each bot's own answer to its own view."""
        return [bot.act(view) for bot, view in zip(bots, views, strict=True)]


class Clocked(Bot):
    """Checks that its deadline is a decision's time away, and later than the one before."""

    before = 0.0

    def act(self, view: View) -> Action:
        deadline = self.info.deadline
        assert deadline
        decision_s = self.info.limits.decision_ms / 1000
        assert deadline - decision_s <= monotonic() < deadline
        assert self.before < deadline
        self.before = deadline
        return view.legal[0]


class ClockedTogether(Clocked):
    """The same for many questions at once."""

    @staticmethod
    def act_many(bots: "list[ClockedTogether]", views: list[View]) -> list[Action]:
        """Each bot's own answer to its own view."""
        return [bot.act(view) for bot, view in zip(bots, views, strict=True)]
