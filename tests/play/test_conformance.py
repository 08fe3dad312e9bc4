"""A conformance check reports issues with their place, and none for a good bot."""

import gc
import random
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import pytest

from arena.games import VARIANTS, Deal, View, variant
from arena.games.action import Action
from arena.play import Bot, Info
from arena.play.bot import make_factory
from arena.play.bot_runtime.json_views import view_to_json
from arena.play.conformance import Findings, InlineHost, Issue, check_bot
from arena.play.conformance.checks import quantile


class First:
    """Does the first thing it may."""

    def act(self, view: View) -> Action:
        return view.legal[0]


class Chooser(Bot):
    """Draws from its own randomness, remembers what it hears, and changes with it."""

    heard = 0

    def act(self, view: View) -> str:
        place = (self.rng.randrange(len(view.legal)) + self.heard) % len(view.legal)
        return view.text(view.legal[place])

    def observe(self, event: str) -> None:
        self.heard += len(event)

    def deal_over(self, result: dict[str, Any]) -> None:
        self.heard += sum(map(len, filter(None, result["hands"])))


def check(bot: Any, *names: str, matches: int = 2) -> Findings:
    games = [variant(name) for name in names]
    return check_bot(games, InlineHost(make_factory(bot), 0.0), make_factory(First), matches=matches)


def kinds(findings: Findings) -> set[str]:
    return {issue.kind for issue in findings.issues}


class Exacting(First):
    """Chooses by a hash of all that a view shows, for several matches at a time."""

    @staticmethod
    def act_many(bots: list[Any], views: list[View]) -> list[Action]:
        shown = [blake2b(repr(view_to_json(view)).encode()).digest() for view in views]
        return [
            view.legal[int.from_bytes(digest, "big") % len(view.legal)]
            for view, digest in zip(views, shown, strict=True)
        ]


@pytest.mark.parametrize("bot", [Chooser, Exacting])
def test_a_good_bot_has_no_issues_in_any_game(bot: Any) -> None:
    findings = check_bot(VARIANTS, InlineHost(make_factory(bot), 0.0), make_factory(First), matches=1)
    assert findings.issues == ()
    assert [game.variant for game in findings.games] == [str(rules) for rules in VARIANTS]
    assert all(game.decisions == len(game.seconds) > 0 for game in findings.games)
    assert findings.asked_again >= len(VARIANTS)


def test_a_bot_is_seated_at_tables_of_several_sizes_game_by_game() -> None:
    class ForFour(First):
        def act(self, view: View) -> Action:
            assert view.players == 4, f"{view.players} players"
            return view.legal[0]

    games = [variant("lives"), variant("cox")]
    done: list[Any] = []
    host = InlineHost(make_factory(ForFour), 0.0)
    findings = check_bot(games, host, make_factory(First), matches=3, on_game=done.append)
    assert [game.players for game in findings.games] == [(2, 4, 16), (2, 4)]
    assert {(issue.variant, issue.players) for issue in findings.issues} == {
        ("lives", 2),
        ("lives", 16),
        ("cox", 2),
    }
    assert tuple(done) == findings.games


class Crashing(First):
    def act(self, view: View) -> Action:
        return view.legal[10**6]


class Stillborn(First):
    def __init__(self, info: Info) -> None:
        raise OSError(f"no weights for {info.variant}")


class Moody(First):
    def act(self, view: View) -> Action:
        return random.choice(view.legal)


class Keeping(First):
    seen = 0

    def act(self, view: View) -> Action:
        Keeping.seen += 1
        return view.legal[Keeping.seen % len(view.legal)]


def answering(answer: object) -> Any:
    """Return the class of a bot that always answers the same."""
    return type("Answering", (), {"act": lambda self, view: answer})


@pytest.mark.parametrize(
    ("bot", "game", "kind", "detail"),
    [
        (Crashing, "lives", "crash", "return view.legal[10**6]"),
        (answering("nonsense"), "pounce", "invalid", "nonsense"),
        (answering(None), "pounce", "invalid", "None"),
        (answering("pounce"), "pounce", "illegal", "'pounce' is not legal now"),
        (Stillborn, "lives", "no-start", "OSError: no weights for lives"),
        (Moody, "lives", "not-repeated", "of the same match, played twice"),
        (Keeping, "lives", "not-repeated", "of the same match, played twice"),
    ],
)
def test_a_mistake_is_an_issue_of_its_kind(bot: Any, game: str, kind: str, detail: str) -> None:
    findings = check(bot, game, matches=1)
    assert kinds(findings) == {kind}
    issue = findings.issues[0]
    assert detail in issue.detail
    assert (issue.variant, issue.players, issue.seat) == (game, 4, 0)
    assert ("Traceback" in issue.detail) == (kind in ("crash", "no-start"))
    assert findings.asked_again == 0  # its mind changes for a simpler reason
    assert (findings.quantile(0.5) is None) == (findings.first_seconds is None) == (kind == "no-start")


def test_a_traceback_is_the_bots_own_and_each_failure_is_an_issue() -> None:
    issues = check(Crashing, "lives", matches=1).issues
    assert (issues[0].deal, issues[0].match) == (0, 0)
    assert issues[0].detail.splitlines()[-1] == "IndexError: tuple index out of range"
    assert "arena/play" not in issues[0].detail
    assert len(issues) == 3  # then its quiet action is played


@pytest.fixture
def few_objects() -> Iterator[None]:
    """Let the garbage collector look at the objects of the test alone, which finds referrers quickly."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("few_objects")
def test_peeking_at_hidden_cards_is_detected() -> None:
    class Peeking(First):
        def act(self, view: View) -> Action:
            owners = gc.get_referrers(view.opening)  # the deal and its copies, or their attributes' dicts
            deals = [owner for owner in owners + gc.get_referrers(*owners) if isinstance(owner, Deal)]
            (hands,) = {tuple(deal.hands) for deal in deals}
            worth = sum(card.points for hand in hands for card in hand)
            return view.legal[int(worth) % len(view.legal)]

    findings = check(Peeking, "lives", matches=1)
    assert kinds(findings) == {"peeking"}
    assert "with other hidden cards" in findings.issues[0].detail


def test_checks_are_reproducible() -> None:
    def issues(bot: Callable[..., Any]) -> list[Issue]:
        return list(check(bot, "lives", "pool").issues)

    class Stumbling(Chooser):
        def act(self, view: View) -> str:
            return "?" if self.heard % 5 == 0 else super().act(view)

    assert issues(Stumbling) == issues(Stumbling) != []


def test_a_quantile_is_one_of_the_values() -> None:
    assert [quantile([3.0, 1.0, 2.0], share) for share in (0, 0.5, 0.99, 1)] == [1, 2, 3, 3]
    assert quantile([], 0.5) is None
