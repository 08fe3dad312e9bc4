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
from arena.play.bot_processes.json_protocol import view_to_json
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


def test_a_good_bot_has_no_issues_in_any_game() -> None:
    findings = check_bot(VARIANTS, InlineHost(make_factory(Chooser), 0.0), make_factory(First), matches=1)
    assert findings.issues == ()
    assert [game.variant for game in findings.games] == [str(rules) for rules in VARIANTS]
    assert all(game.decisions == len(game.seconds) > 0 for game in findings.games)
    assert findings.asked_again >= len(VARIANTS)


def test_views_do_not_depend_on_hidden_cards() -> None:
    class Exacting(First):
        def act(self, view: View) -> Action:
            shown = blake2b(repr(view_to_json(view)).encode()).digest()
            return view.legal[int.from_bytes(shown, "big") % len(view.legal)]

    findings = check_bot(VARIANTS, InlineHost(make_factory(Exacting), 0.0), make_factory(First), matches=1)
    assert (findings.issues, findings.asked_again >= len(VARIANTS)) == ((), True)


def test_a_bot_is_seated_at_tables_of_several_sizes() -> None:
    class ForFour(First):
        def act(self, view: View) -> Action:
            assert view.players == 4, f"{view.players} players"
            return view.legal[0]

    findings = check(ForFour, "lives", "cox", matches=3)
    assert [game.players for game in findings.games] == [(2, 4, 16), (2, 4)]
    assert {(issue.variant, issue.players) for issue in findings.issues} == {
        ("lives", 2),
        ("lives", 16),
        ("cox", 2),
    }


def test_on_game_is_called_after_each_game() -> None:
    games_done: list[str] = []
    host = InlineHost(make_factory(First), 0.0)
    games = [variant("lives"), variant("cuccu")]
    check_bot(
        games,
        host,
        make_factory(First),
        matches=1,
        on_game=lambda game: games_done.append(game.variant),
    )
    assert games_done == ["lives", "cuccu"]


def test_exception_is_an_issue_with_the_bots_traceback() -> None:
    class Crashing(First):
        def act(self, view: View) -> Action:
            return view.legal[10**6]

    findings = check(Crashing, "lives", matches=1)
    issue = findings.issues[0]
    assert (issue.kind, issue.variant, issue.players, issue.seat, issue.deal) == ("crash", "lives", 4, 0, 0)
    assert issue.detail.splitlines()[-1] == "IndexError: tuple index out of range"
    assert "return view.legal[10**6]" in issue.detail
    assert "arena/play" not in issue.detail
    assert len(findings.issues) == 3  # then its quiet action is played


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ("nonsense", "invalid", "nonsense"),
        (None, "invalid", "None"),
        ("pounce", "illegal", "'pounce' is not legal now"),
    ],
)
def test_wrong_answer_is_an_issue_without_traceback(answer: object, kind: str, words: str) -> None:
    class Wrong:
        def act(self, view: View) -> object:
            return answer

    issue = check(Wrong, "pounce", matches=1).issues[0]
    assert issue.kind == kind
    assert words in issue.detail
    assert "Traceback" not in issue.detail


def test_failing_constructor_is_no_start() -> None:
    class Stillborn(First):
        def __init__(self, info: Info) -> None:
            raise OSError(f"no weights for {info.variant}")

    findings = check(Stillborn, "lives", matches=1)
    assert [(issue.kind, issue.detail.splitlines()[-1]) for issue in findings.issues] == [
        ("no-start", "OSError: no weights for lives")
    ]
    assert (findings.decisions, findings.quantile(0.5), findings.first_seconds) == (0, None, None)


def test_global_randomness_is_detected() -> None:
    class Moody(First):
        def act(self, view: View) -> Action:
            return random.choice(view.legal)

    findings = check(Moody, "lives")
    assert kinds(findings) == {"not-repeated"}
    assert "of the same match, played twice" in findings.issues[0].detail
    assert findings.asked_again == 0  # its mind changes for a simpler reason


def test_state_kept_between_matches_is_detected() -> None:
    class Keeping(First):
        seen = 0

        def act(self, view: View) -> Action:
            Keeping.seen += 1
            return view.legal[Keeping.seen % len(view.legal)]

    assert "not-repeated" in kinds(check(Keeping, "lives"))


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


def test_act_many_is_checked_too() -> None:
    class Many(First):
        @staticmethod
        def act_many(bots: list[Any], views: list[View]) -> list[Action]:
            return [view.legal[-1] for view in views]

    findings = check(Many, "lives", matches=1)
    assert findings.issues == ()
    assert findings.decisions > 0


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
