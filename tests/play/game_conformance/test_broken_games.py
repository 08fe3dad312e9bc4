"""Games with one mistake each: the check finds it, names it, and shows the shortest match."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.games import Rules
from arena.output.texts.checks import game_card_text
from arena.play.game_conformance import GameFindings, check_game
from arena.plugins.games import load_game
from tests.strangers.loading import forget_games, write_auction

GAME = Path(__file__).parents[3] / "examples/game/game.py"
KNOCK_POKER = GAME.parents[1] / "games/knock_poker.py"
AUCTION = Path("auction.py")
"""The game with sealed bids of the page for authors."""


class Mistake(NamedTuple):
    """A mistake in an example of a game."""

    kind: str
    detail: str
    """Text of the issue."""
    edits: dict[str, str]
    """Lines of the game by what stands there instead."""
    fresh_process: bool = False
    uniformity_tests: int = 0
    also: tuple[str, ...] = ()
    """Issues that follow from the mistake."""
    game: Path = GAME


TURN = "        self.ask_seat(seat, [CARD, STOP] if self.stock.left else [STOP], MezzoDeal.take_turn)\n"
BEGIN = "    def begin_play(self) -> None:\n"
STOPPED = "            self.record(seat, STOP)\n"
HANDS = "        hands = enumerate(self.hands)\n"
VIEW = "    cards: tuple[Hand, ...]\n"
VIEW_DOC = '    """The cards of each seat, `??` for a first card that is hidden."""\n'
IMPORTS = "from dataclasses import dataclass\n"
SEALED = "        self.record_hidden(seat, done, cover=SEALED)\n"
RESHUFFLE = {
    "        self.turns = 0\n": "        self.turns = 0\n        self.pile: Hand = ()\n",
    " or not self.stock.left\n": "\n",
    "[DRAW] if self.stock.left else []": "[DRAW]",
    "        else:\n            self.draw_hidden(seat, DRAW)\n": "        else:\n"
    "            if not self.stock.left:\n"
    "                self.stock.refill(self.pile)\n"
    "                self.pile = ()\n"
    "            self.draw_hidden(seat, DRAW)\n",
    "        self.up = self.give_up(seat, done.give[0])\n": "        self.pile += self.up\n"
    "        self.up = self.give_up(seat, done.give[0])\n",
    "    max_players: int = 6\n": "    max_players: int = 2\n",
}
"""Edits by which knock poker reshuffles its discards, which two players do not reach."""
MISTAKES = {
    "a sealed bid recorded for one seat whose text all see": Mistake(
        "not-hidden",
        "is recorded for seat",
        {
            SEALED: "        self.record_partial(seat, done, (), (), (seat,))\n",
            "        self.open_choices()\n": "",
        },
        game=AUCTION,
    ),
    "a sealed bid in a field of the view": Mistake(
        "leak",
        "with other choices that it has not seen it is",
        {'return {"opened": self.opened}': 'return {"opened": self.bids}'},
        game=AUCTION,
    ),
    "a sealed bid in the order of legal actions": Mistake(
        "leak",
        "view.legal[0] of seat",
        {
            "            self.ask_seat(self.next_seat(seat), BIDS, AuctionDeal.bid)\n": "            "
            "bids = BIDS if sum(self.bids) % 2 else BIDS[::-1]\n"
            "            self.ask_seat(self.next_seat(seat), bids, AuctionDeal.bid)\n"
        },
        game=AUCTION,
    ),
    "a cover that tells the choice": Mistake(
        "leak",
        "view.events[0] of seat",
        {"cover=SEALED": 'cover=action("bid", template=f"bid {BIDS.index(done) % 2}?")'},
        game=AUCTION,
    ),
    "bids that are opened and were never hidden": Mistake(
        "action-raises",
        "open_choices: no choice is hidden",
        {SEALED: "        self.record(seat, done)\n"},
        game=AUCTION,
    ),
    "a sampler that takes dealt cards for drawn ones": Mistake(
        "sample",
        "find_drawn() of seat",
        {
            "for hand in self.view.cards for card in hand[1:]": "for hand in self.view.cards "
            "for card in hand if card is not HIDDEN"
        },
    ),
    "a sampler that rules out what was dealt": Mistake(
        "sample",
        "is false: it was dealt",
        {
            "    def find_drawn(self)": "    def may_hold(self, seat: int, card: Any) -> bool:\n"
            "        return bool(card.suit != 'S')\n\n    def find_drawn(self)"
        },
    ),
    "a deal that never ends": Mistake(
        "endless",
        "random actions, in deal 1",
        {
            **RESHUFFLE,
            "        is_over = self.turns == self.rules.turns * players\n": "        is_over = False\n",
            "            can.append(KNOCK)\n": "            pass\n",
        },
        game=KNOCK_POKER,
    ),
    "a reshuffle that leaves the discards where they were": Mistake(
        "cards",
        "times in hands, stock and table",
        {
            **RESHUFFLE,
            "        else:\n            self.draw_hidden(seat, DRAW)\n": "        else:\n"
            "            if not self.stock.left:\n                self.stock.refill(self.pile)\n"
            "            self.draw_hidden(seat, DRAW)\n",
        },
        game=KNOCK_POKER,
    ),
    "a reshuffle that raises": Mistake(
        "action-raises",
        "TypeError",
        {
            **RESHUFFLE,
            "        else:\n            self.draw_hidden(seat, DRAW)\n": "        else:\n"
            "            if not self.stock.left:\n                self.stock.refill(self.pile, self.up)\n"
            "            self.draw_hidden(seat, DRAW)\n",
        },
        game=KNOCK_POKER,
    ),
    "a leak through the text of an event": Mistake(
        "leak",
        "view.events[",
        {
            STOPPED: STOPPED
            + '            total = f"total {self.rules.rank(self.hands[seat]).value}"\n'
            + '            self.announce(None, action("total", template=total), ())\n'
        },
    ),
    "a leak through the card of an event": Mistake(
        "not-known",
        "the event dealt",
        {STOPPED: STOPPED + "            self.announce(None, DEALT, self.hands[seat][:1])\n"},
    ),
    "a leak through the order of legal actions": Mistake(
        "leak",
        "view.legal[0] of seat",
        {
            TURN: "        banker = self.opening.order[-1]\n"
            "        actions = [CARD, STOP] if self.hands[banker][0].rank in 'JQK' else [STOP, CARD]\n"
            "        self.ask_seat(seat, actions, MezzoDeal.take_turn)\n"
        },
    ),
    "a leak through a count of the stock": Mistake(
        "leak",
        "view.courts_left of seat",
        {
            VIEW: "    courts_left: int\n" + VIEW,
            HANDS: "        courts = 12 - sum([c.rank in 'JQK' for hand in self.hands for c in hand])\n"
            + HANDS,
            'return {"cards"': 'return {"courts_left": courts, "cards"',
        },
    ),
    "a leak through the type of a value": Mistake(
        "leak",
        "view.mark of seat",
        {
            VIEW: "    mark: Any\n" + VIEW,
            'return {"cards"': 'return {"mark": True if self.hands[seat - 1][0].suit == "S" else 1, "cards"',
        },
        also=("sample",),
    ),
    "a leak through the sign of zero": Mistake(
        "leak",
        "view.mark of seat",
        {
            VIEW: "    mark: float\n" + VIEW,
            'return {"cards"': 'return {"mark": -0.0 if self.hands[seat - 1][0].suit == "S" else 0.0, '
            '"cards"',
        },
        also=("sample",),
    ),
    "a match that never ends": Mistake(
        "endless",
        "still not over after",
        {"        return dealt == self.rounds * len(holdings.went_out)\n": "        return False\n"},
    ),
    "a phase that asks nobody": Mistake(
        "nobody-asked",
        "MezzoDeal.take_turn has neither asked a seat nor ended the deal",
        {STOPPED: STOPPED + "            if len(self.hands[seat]) > 1:\n                return\n"},
    ),
    "an event that does not name its card": Mistake(
        "unnamed-card",
        "and its template names 0 of these 1 cards",
        {'action("dealt", template="dealt %s")': 'action("dealt")'},
    ),
    "a table that is not announced": Mistake(
        "unnamed-card",
        "before the first action, and no event shows the 2 cards laid out at the start",
        {
            "    pack: int = 40\n": "    pack: int = 40\n    table_size: int = 2\n",
            VIEW: "    table: Hand\n" + VIEW,
            'return {"cards"': 'return {"table": self.table_dealt, "cards"',
        },
    ),
    "two actions with one text": Mistake(
        "same-text",
        "are written 'stop'",
        {
            "STOP: Final": 'STAY: Final = action("stay", template="stop")\nSTOP: Final',
            TURN: TURN.replace("[CARD, STOP]", "[CARD, STAY, STOP]"),
            "if done is STOP": "if done is not CARD",
        },
    ),
    "a copy that shares a list": Mistake(
        "shared-copy",
        "in a copy, view.cards of seat",
        {
            BEGIN: BEGIN + "        self.taken: list[list[Any]] = [[] for _ in self.hands]\n",
            "        self.record(seat, CARD)\n": "        self.record(seat, CARD)\n"
            "        self.taken[seat].append(card)\n",
            "(HIDDEN, *hand[1:])": "(HIDDEN, *self.taken[who])",
        },
    ),
    "a legal action that raises": Mistake(
        "action-raises",
        "ValueError: nobody doubles",
        {
            "STOP: Final": 'DOUBLE: Final = action("double")\nSTOP: Final',
            TURN: TURN.replace("[CARD, STOP]", "[CARD, DOUBLE, STOP]"),
            "        if done is STOP": "        if done is DOUBLE:\n"
            "            raise ValueError('nobody doubles')\n        if done is STOP",
        },
    ),
    "payoffs that do not add up": Mistake(
        "zero-sum",
        "and the settlement says is_zero_sum",
        {"chips[banker] -= 1 if wins else -1": "chips[banker] -= 1 if wins else 0"},
    ),
    "the global random generator": Mistake(
        "global-random",
        "changes the state of the module random",
        {
            IMPORTS: "import random\n" + IMPORTS,
            TURN: TURN.replace("if self.stock.left", "if random.random() < 0.9"),
        },
    ),
    "a clock": Mistake(
        "clock",
        ": time.localtime().tm_yday",
        {
            IMPORTS: "import time\n" + IMPORTS,
            TURN: TURN.replace("if self.stock.left", "if time.localtime().tm_yday % 2"),
        },
        fresh_process=True,
    ),
    "state in a class": Mistake(
        "keeps-state",
        "when matches are played in another order",
        {
            BEGIN: "    begun = 0\n\n" + BEGIN + "        MezzoDeal.begun += 1\n",
            TURN: TURN.replace("if self.stock.left", "if MezzoDeal.begun % 3"),
        },
        fresh_process=True,
    ),
    "state that the first match sets for all": Mistake(
        "keeps-state",
        "when matches are played in another order, in a new process",
        {
            BEGIN: "    first = 0\n\n"
            + BEGIN
            + "        MezzoDeal.first = MezzoDeal.first or len(self.hands)\n",
            TURN: TURN.replace("if self.stock.left", "if MezzoDeal.first % 3"),
        },
        fresh_process=True,
    ),
    "random numbers of the system": Mistake(
        "not-repeated",
        ": urandom",
        {
            IMPORTS: "from os import urandom\n" + IMPORTS,
            TURN: TURN.replace("if self.stock.left", "if urandom(1) < b'z'"),
        },
        fresh_process=True,
    ),
    "the order of a set": Mistake(
        "hash-order",
        "with another PYTHONHASHSEED",
        {
            VIEW: "    ranks: tuple[str, ...]\n" + VIEW,
            'return {"cards"': 'return {"ranks": tuple({*VALUES}), "cards"',
        },
        fresh_process=True,
    ),
    "a hand after an action that is another": Mistake(
        "after",
        "and the hand is",
        {
            "    cards: tuple[Hand, ...]\n": "    cards: tuple[Hand, ...]\n\n"
            "    def after(self, action: Action) -> Hand:\n"
            "        return (*self.hand, GAME.whole_pack.cards[0]) if action is CARD else self.hand\n\n",
            VIEW_DOC: "",
        },
    ),
    "a sampler that is not uniform": Mistake(
        "not-uniform",
        "are expected (of",
        {
            "    def list_actions": "    def samples(self, view, rng, count):  # the higher of two\n"
            "        other = (view.seat + 1) % view.players\n"
            "        for _ in range(count):\n"
            "            two = super().samples(view, rng, 2)\n"
            "            yield max(two, key=lambda world: world.deal.dealt[other][0].number)\n\n"
            "    def list_actions"
        },
        uniformity_tests=1,
    ),
}


@pytest.fixture(autouse=True)
def _forgets() -> Iterator[None]:
    with forget_games():
        yield


def write_game(folder: Path, edits: dict[str, str], game: Path = GAME) -> Path:
    """Write an example with some of its lines changed."""
    source = write_auction(folder) if game is AUCTION else game
    text = source.read_text(encoding="utf-8")
    for old, new in edits.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "game.py"
    path.write_text(text, encoding="utf-8")
    return path


def check(rules: Rules, mistake: Mistake) -> GameFindings:
    return check_game(
        rules,
        matches=5,
        fresh_process=mistake.fresh_process,
        uniformity_tests=mistake.uniformity_tests,
    )


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_found_and_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.play.game_conformance.checks.MATCH_TIMEOUT_S", 0.3)
    mistake = MISTAKES[name]
    findings = check(load_game(str(write_game(tmp_path, mistake.edits, mistake.game))), mistake)
    assert [issue.kind for issue in findings.issues] == [mistake.kind, *mistake.also], findings.issues
    issue = findings.issues[0]
    assert mistake.detail in issue.detail
    assert issue.matches >= 1


def test_the_example_itself_has_none(tmp_path: Path) -> None:
    findings = check_game(load_game(str(write_game(tmp_path, {}))), matches=10, uniformity_tests=1)
    assert (findings.issues, findings.notes) == ((), ())
    assert findings.counts.fresh_matches == findings.counts.replays == 10
    assert findings.counts.uniformity_tests == 1
    assert findings.seen_by_others == (
        "card: no cards",
        "dealt: cards shown",
        "show: cards shown",
        "stop: no cards",
    )


def test_a_reshuffle_that_only_a_long_deal_reaches_is_played_with_few_cards(tmp_path: Path) -> None:
    rules = load_game(str(write_game(tmp_path, RESHUFFLE, KNOCK_POKER)))
    findings = check_game(rules, matches=5, fresh_process=False, uniformity_tests=0)
    assert (findings.issues, findings.unreached) == ((), ())
    assert [(stage.name, stage.done) for stage in findings.stages][-1] == ("few cards", 60)


def test_code_that_no_match_reaches_is_named(tmp_path: Path) -> None:
    edits = {
        STOPPED: STOPPED + "            if len(self.hands[seat]) > 30:\n                self.show(seat)\n"
    }
    path = write_game(tmp_path, edits)
    line = 1 + path.read_text().splitlines().index("                self.show(seat)")
    findings = check_game(load_game(str(path)), matches=5, fresh_process=False, uniformity_tests=0)
    assert f"MezzoDeal.take_turn (line {line})" in findings.unreached
    assert f"by any match: MezzoDeal.take_turn (line {line})" in game_card_text(findings)


def test_more_matches_are_played_only_if_the_first_show_no_issue(tmp_path: Path) -> None:
    mistake = MISTAKES["payoffs that do not add up"]
    broken = load_game(str(write_game(tmp_path, mistake.edits)))
    findings = check_game(broken, matches=400, fresh_process=False, uniformity_tests=0)
    assert (findings.counts.matches, findings.matches_left) == (20, 380)
    assert [result.name for result in findings.stages if result.issues] == ["random matches"]
