"""The referee plays default actions for faults, and sends each seat only what it may know."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.games import VARIANTS, Match, Rules, View, variant
from arena.games.action import Action
from arena.play import Bot, Info, Limits, LocalPlayer, play_match
from arena.play.bot import make_factory
from arena.play.records.record_check import check_record
from arena.play.referee import play, play_all
from tests.play.simple_bots import Anything, Counting, Listening, Quiet, Together


def make_players(rules: Rules, bots: list[Any], seed: str, **limits: int) -> list[LocalPlayer]:
    return [
        LocalPlayer(
            make_factory(bot),
            Info(
                variant=rules.name,
                options=dict(rules.overrides),
                seat=number,
                players=len(bots),
                key=f"{seed}/{number}",
                limits=Limits(**limits),
            ),
        )
        for number, bot in enumerate(bots)
    ]


def play_bots(rules: Rules, bots: list[Any], seed: str, **limits: int) -> tuple[Match, list[LocalPlayer]]:
    match, seats = rules.match(len(bots), seed), make_players(rules, bots, seed, **limits)
    play(match, seats)
    assert match.is_over
    return match, seats


def faults(seat: LocalPlayer) -> list[str]:
    return [fault.kind for fault in seat.faults]


# --- what a bot may answer ---


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_text_and_action_are_equivalent(rules: Rules) -> None:
    class InText(Anything):
        def act(self, view: View) -> str:
            action = super().act(view)
            assert isinstance(action, Action)
            return view.text(action)

    players = min(4, rules.players[-1])
    match = play_match(rules, [Anything] * players, "x")
    other = play_match(rules, [InText] * players, "x")
    assert match["faults"] == other["faults"] == []
    assert match["deals"] == other["deals"]


def test_a_bot_needs_nothing_but_act() -> None:
    match, seats = play_bots(variant("lives"), [Quiet, Quiet, Quiet()], "x")
    assert [faults(seat) for seat in seats] == [[], [], []]
    assert {event.action.kind for deal in match.finished_deals for event in deal.log} == {"pass"}


def test_each_seat_has_a_fresh_instance_of_a_class_and_an_instance_is_used_as_it_is() -> None:
    mine = Quiet()
    _, seats = play_bots(variant("lives"), [Anything, Anything, mine, mine], "x")
    assert seats[0].bot is not seats[1].bot
    assert seats[2].bot is seats[3].bot is mine


# --- faults ---


class Strange:
    """An answer that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


FAILING: dict[str, tuple[Any, str]] = {
    "nothing": (None, "invalid"),
    "number": (3, "invalid"),
    "no notation": ("hello", "invalid"),
    "no card": ("XX>YY", "invalid"),
    "list": (["pass"], "invalid"),
    "dictionary": ({}, "invalid"),
    "not shown": (Strange(), "invalid"),
    "not legal": ("pounce", "illegal"),
    "of another game": (variant("cuccu").match(2, "").deal.legal_actions.actions[0], "illegal"),
}


@pytest.mark.parametrize("name", FAILING)
def test_wrong_answers_are_faults(name: str) -> None:
    answer, kind = FAILING[name]
    failing = type("Failing", (Counting,), {"answer": answer})
    match, seats = play_bots(variant("lives"), [failing, Anything, Anything], "x")
    assert faults(seats[0]) == [kind] * 3
    assert seats[0].bot.asked == 3
    assert faults(seats[1]) == faults(seats[2]) == []
    assert {event.action.kind for deal in match.finished_deals for event in deal.log if event.seat == 0} == {
        "pass"
    }


def test_subclass_of_str_is_parsed_as_text() -> None:
    class Label(str):
        """As numpy's texts are."""

        __slots__ = ()

    labelled = type("Labelled", (Counting,), {"answer": Label("pass")})
    _, seats = play_bots(variant("lives"), [labelled, Anything, Anything], "x")
    assert faults(seats[0]) == []
    assert seats[0].bot.asked > 3


def raising(error: BaseException) -> type[Bot]:
    class Raising(Counting):
        def act(self, view: View) -> Any:
            self.asked += 1
            raise error

    return Raising


@pytest.mark.parametrize("error", [ValueError("x"), RecursionError(), SystemExit(1), MemoryError()], ids=repr)
def test_a_bot_that_raises_has_crashed(error: BaseException) -> None:
    match, seats = play_bots(variant("pool"), [raising(error), Anything, Anything], "x")
    assert faults(seats[0]) == ["crash"] * 3
    assert seats[0].bot.asked == 3
    quiet = {event.action.kind for deal in match.finished_deals for event in deal.log if event.seat == 0}
    assert quiet <= {"pass", "no-horse"}


def test_ctrl_c_is_no_fault() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_bots(variant("lives"), [raising(KeyboardInterrupt()), Anything], "x")


class NoStart(Bot):
    def __init__(self, info: Info) -> None:
        raise RuntimeError("not today")


class NoAct:
    pass


@pytest.mark.parametrize("bot", [NoStart, NoAct, 3])
def test_bot_that_cannot_start_plays_default_actions(bot: Any) -> None:
    match, seats = play_bots(variant("lives"), [Anything, bot], "x")
    assert faults(seats[1]) == ["no-start"]
    assert {event.action.kind for deal in match.finished_deals for event in deal.log if event.seat == 1} == {
        "pass"
    }


@pytest.mark.parametrize("budget", [1, 2, 5])
def test_bot_is_retired_after_max_faults(budget: int) -> None:
    _, seats = play_bots(variant("lives"), [Counting, Anything], "x", faults=budget)
    assert len(seats[0].faults) == seats[0].bot.asked == budget


def test_bot_below_max_faults_plays_on() -> None:
    class Forgetful(Anything):
        times = 0

        def act(self, view: View) -> Any:
            type(self).times += 1
            return None if self.times in (2, 5) else super().act(view)

    match, seats = play_bots(variant("lives"), [Forgetful, Anything, Anything], "x")
    assert faults(seats[0]) == ["invalid", "invalid"]
    assert (
        len([event for deal in match.finished_deals for event in deal.log if event.seat == 0])
        == Forgetful.times
        > 5
    )


@pytest.mark.parametrize("method", ["observe", "deal_over"])
def test_failing_in_observe_or_deal_over_retires_too(method: str) -> None:
    def fail(self: Bot, told: object) -> None:
        raise RuntimeError("I do not want to know")

    deaf = type("Deaf", (Listening,), {method: fail, "act": Anything.act})
    _, seats = play_bots(variant("lives", tokens=9), [deaf, Anything, Anything], "x")
    assert faults(seats[0]) == ["crash"] * 3
    assert seats[0].act is None

    asked = []

    class Deaf(Anything):
        def act(self, view: View) -> Any:
            asked.append(len(seats_now[0].faults))
            return super().act(view)

    setattr(Deaf, method, fail)
    rules = variant("lives", tokens=9)
    match, seats_now = rules.match(3, "x"), make_players(rules, [Deaf, Anything, Anything], "x")
    play(match, seats_now)
    assert max(asked, default=0) < 3


def test_faults_are_recorded_with_their_deal() -> None:
    record = play_match(variant("lives"), [Anything, Counting, Anything], "x")
    assert record["faults"] == [{"seat": 1, "kind": "invalid", "deal": 0}] * 3
    assert check_record(record).matches == 1


# --- who is asked ---


def test_a_seat_with_one_legal_action_is_not_asked_but_the_action_is_in_the_record() -> None:
    asked: list[tuple[int, int]] = []

    class Watching(Anything):
        def act(self, view: View) -> Action | str:
            asked.append((view.deal, view.seat))
            assert len(view.legal) > 1
            return super().act(view)

    match, _ = play_bots(variant("cox"), [Watching, Watching, Watching], "x")
    done = sum(len(deal.log) for deal in match.finished_deals)
    assert len(asked) < done
    first = match.finished_deals[0].log[0]
    assert (first.seat, first.text) == (match.finished_deals[0].opening.dealer, f"{first.seat}:draw")


# --- what is heard ---


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_observers_receive_exactly_the_events_of_their_views(rules: Rules) -> None:
    for seed in "abcd":
        players = min(4, rules.players[-1])
        match, seats = play_bots(rules, [Listening] * players, seed)
        for seat in seats:
            assert faults(seat) == []
            told = [list(deal.view(seat.seat).events) for deal in match.finished_deals]
            assert [*told, []] == seat.bot.heard


def test_deal_without_decisions_is_observed_too() -> None:
    """Somebody is dealt 31 and shows it: the deal is over before it has begun."""
    rules, silent = variant("thirty-one"), 0
    for seed in range(60):
        match, seats = play_bots(rules, [Order] * 16, f"silent {seed}")
        for number, deal in enumerate(match.finished_deals):
            silent += not deal.log
            for seat in seats:
                told = [f"{number} {event}" for event in deal.view(seat.seat).events]
                assert [line for line in seat.bot.lines if line.startswith(f"{number} ")] == [
                    *told,
                    f"{number} over",
                ]
        assert [seat.bot.lines for seat in seats] == [sorted(seat.bot.lines, key=deal_of) for seat in seats]
        if silent > 2:
            return
    raise AssertionError("nobody was dealt 31")


def deal_of(line: str) -> int:
    return int(line.split()[0])


class Order(Quiet):
    """Writes down what it hears with the number of the deal: how many are over."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.over = 0

    def observe(self, event: str) -> None:
        self.lines.append(f"{self.over} {event}")

    def deal_over(self, result: dict[str, Any]) -> None:
        self.lines.append(f"{self.over} over")
        self.over += 1


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_bots_receive_the_result_of_each_deal(rules: Rules) -> None:
    """With the hands they saw: in this match of thirty-one some keep theirs when another shows 31."""
    match, seats = play_bots(rules, [Listening] * 3, "51")
    for seat in seats:
        for result, deal in zip(seat.bot.results, match.finished_deals, strict=True):
            hands = [deal.format_seen_hand(place, seat.seat) or None for place in range(3)]
            assert deal.changes is not None
            assert result == deal.changes.result() | {"hands": hands}
    assert rules.name != "thirty-one" or any(len(deal.shown) == 1 for deal in match.finished_deals)


# --- many at once ---


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_bots_that_answer_many_at_once_play_the_same(rules: Rules) -> None:
    players, seeds = min(4, rules.players[-1]), "abcdef"
    alone = [play_bots(rules, [Anything] * players, seed)[0] for seed in seeds]
    tables = [(rules.match(players, seed), make_players(rules, [Together] * players, seed)) for seed in seeds]
    play_all(tables)
    for match, (other, seats) in zip(alone, tables, strict=True):
        assert other.is_over
        assert [deal.action_indices for deal in match.finished_deals] == [
            deal.action_indices for deal in other.finished_deals
        ]
        assert [seat.faults for seat in seats] == [[]] * players


def test_act_and_act_many_share_a_table() -> None:
    mixed = [
        play_bots(variant("pool"), bots, "x")[0]
        for bots in ([Anything, Together, Quiet], [Together, Anything, Quiet])
    ]
    assert [deal.action_indices for deal in mixed[0].finished_deals] == [
        deal.action_indices for deal in mixed[1].finished_deals
    ]


def many(answer: Callable[[list[Any], list[View]], Any]) -> type[Bot]:
    return type("Many", (Anything,), {"act_many": staticmethod(answer)})


def no_answer(bots: list[Any], views: list[View]) -> Any:
    raise RuntimeError("too many")


MANY_FAILING: dict[str, tuple[type[Bot], str]] = {
    "raises": (many(no_answer), "crash"),
    "too few": (many(lambda bots, views: []), "crash"),
    "too many": (many(lambda bots, views: ["pass"] * (len(views) + 1)), "crash"),
    "no list": (many(lambda bots, views: None), "crash"),
    "nothing": (many(lambda bots, views: [None] * len(views)), "invalid"),
    "illegal": (many(lambda bots, views: ["pounce"] * len(views)), "illegal"),
}


@pytest.mark.parametrize("name", MANY_FAILING)
def test_wrong_act_many_answers_are_faults_of_each(name: str) -> None:
    bot, kind = MANY_FAILING[name]
    rules = variant("lives")
    tables = [(rules.match(3, seed), make_players(rules, [bot, Quiet, Quiet], seed)) for seed in "abc"]
    play_all(tables)
    for match, seats in tables:
        assert match.is_over
        assert [faults(seat) for seat in seats] == [[kind] * 3, [], []]


# --- once more ---


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_the_same_seed_plays_the_same_match(rules: Rules) -> None:
    players = min(5, rules.players[-1])
    records = [play_match(rules, [Anything] * players, "any text") for _ in range(2)]
    assert records[0] == records[1]
    assert play_match(rules, [Anything] * players, "other text")["deals"] != records[0]["deals"]


def test_info_of_each_seat() -> None:
    infos: list[Info] = []

    class Curious(Quiet):
        def __init__(self, info: Info) -> None:
            infos.append(info)

    play_match(variant("pool", tokens=2, alow=False), [Curious, Curious, Curious], "x")
    assert [info.seat for info in infos] == [0, 1, 2]
    assert {(info.variant, info.players) for info in infos} == {("pool", 3)}
    assert all(info.options == {"tokens": 2, "alow": False} for info in infos)
    assert all(info.rules is variant("pool", tokens=2, alow=False) for info in infos)
    assert len({info.rng.random() for info in infos}) == 3
    assert infos[0].limits == Limits(decision_ms=100, bank_ms=2000, start_ms=5000, memory_mb=256, faults=3)
    assert infos[0].settings == {}
    assert "x" not in {info.key for info in infos}


def test_info_is_not_shared_between_bots() -> None:
    class Meddling(Quiet):
        def __init__(self, info: Info) -> None:
            info.options["tokens"] = 99
            info.settings["mine"] = True

    rules = variant("lives", tokens=4)
    record = play_match(rules, [Meddling, Meddling], "x")
    record["options"]["tokens"] = 5
    assert rules.overrides == {"tokens": 4}
    assert str(rules) == "lives(tokens=4)"
    assert Info(variant="lives", options={}, seat=0, players=2, key="").settings == {}
