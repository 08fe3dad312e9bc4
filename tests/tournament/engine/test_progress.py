"""Progress as a bar on a terminal and as plain lines elsewhere, who leads, and requests to stop."""

import io
import signal
import time

import pytest

from arena.tournament.engine.progress import LiveLeader, Progress, StopRequest
from arena.tournament.engine.workers import block_interrupts
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, Faults, MatchResult
from tests.tournament import fake_run


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def won_by_greedy(index: int, faults: Faults = ()) -> tuple[Block, BlockResult]:
    block = fake_run.block(index)
    placings = [tuple(1 if bot == "greedy" else 2 for bot in seating) for seating in block.seatings]
    matches = (MatchResult(placing, (0,) * 4, faults, b"") for placing in placings)
    return block, BlockResult(index, tuple(matches))


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_line_a_minute_and_one_at_the_end(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(1010, done=1000, stream=stream, clock=clock) as progress:
        for index in range(6):
            clock.seconds += 20
            progress.add(*won_by_greedy(index))
    assert stream.getvalue().splitlines() == [
        "1,003 of 1,010 blocks, 02:20 left, 0 matches/s, greedy leads",
        "1,006 of 1,010 blocks, 01:20 left, 0 matches/s, greedy leads",
        "1,006 of 1,010 blocks, 01:20 left, 0 matches/s, greedy leads",
    ]


def test_results_held_back_have_no_leader_and_no_status(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(2, stream=stream, clock=clock, is_held=True) as progress:
        progress.set_total(2, "round 1: greedy is through")
        clock.seconds += 60
        progress.add(*won_by_greedy(0))
    assert "1 of 2 blocks" in stream.getvalue()
    assert "greedy" not in stream.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_a_notice_is_shown_once_after_a_minute(stream: io.StringIO, clock: Clock) -> None:
    with Progress(9, stream=stream, clock=clock, notice="Not compiled.") as progress:
        for index in range(9):
            clock.seconds += 20
            progress.add(*won_by_greedy(index))
            assert ("Not compiled." in stream.getvalue()) == (index >= 2)
    assert stream.getvalue().count("Not compiled.\n") == 1


def test_the_pace_counts_the_matches_played_since_it_began(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(2, done=1, stream=stream, clock=clock) as progress:
        clock.seconds = 0.002
        progress.add(*won_by_greedy(1))
    assert stream.getvalue() == "2 of 2 blocks, 2,000 matches/s, greedy leads\n"


def test_a_run_without_blocks_has_no_leader_and_no_pace(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(3, stream=stream, clock=clock):
        pass
    assert stream.getvalue() == "0 of 3 blocks, 0 matches/s\n"


def test_nothing_is_shown_where_nothing_is_to_be_played(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(0, stream=stream, clock=clock):
        pass
    assert stream.getvalue() == ""


def test_the_total_may_grow(clock: Clock) -> None:
    for stream in (io.StringIO(), Terminal()):
        with Progress(0, stream=stream, clock=clock) as progress:
            for index, total in enumerate((1, 3)):
                progress.set_total(total)
                progress.add(*won_by_greedy(index))
        assert "2 of 3 blocks" in stream.getvalue() or "2/3 blocks" in stream.getvalue()


def test_the_first_stage_after_two_seconds_shows_the_time_left_without_the_start(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(9, stream=stream, clock=clock) as progress:
        clock.seconds = 30.0  # workers and bots start
        for index in range(3):
            progress.add(*won_by_greedy(index))
            clock.seconds += 1
            progress.set_total(9, "a look")
        progress.finish("clear")
    assert stream.getvalue().splitlines() == [
        "2 of 9 blocks, 00:14 left, 0 matches/s, greedy leads, a look",
        "3 of 3 blocks, 0 matches/s, greedy leads, clear",
    ]


def test_a_terminal_gets_a_bar(clock: Clock) -> None:
    terminal = Terminal()
    with Progress(4, done=1, stream=terminal, clock=clock) as progress:
        assert "1/4 blocks" in terminal.getvalue()
        clock.seconds = 2.0
        progress.add(*won_by_greedy(1))
        assert "2/4 blocks" in terminal.getvalue()
        assert "2 matches/s, greedy leads" in terminal.getvalue()
        clock.seconds = 2.01
        progress.add(*won_by_greedy(2))
        assert "3/4 blocks" not in terminal.getvalue()
    assert "3/4 blocks" in terminal.getvalue()
    assert terminal.getvalue().endswith("\n")


def test_a_long_block_has_its_line_a_minute_too(clock: Clock) -> None:
    stream = io.StringIO()
    progress = Progress(2, stream=stream, clock=clock)
    for _ in range(125):
        clock.seconds += 1
        progress.update()
    assert stream.getvalue().count("0 of 2 blocks") == 2


def test_progress_may_be_left_out(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(2, clock=clock, shown=False) as progress:
        progress.add(*won_by_greedy(1))
    assert capsys.readouterr() == ("", "")


def test_a_leader_has_the_name_that_is_given_for_it(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(1, stream=stream, clock=clock, labels={"greedy": "ann v1", "other": "ben"}) as progress:
        clock.seconds = 1
        progress.add(*won_by_greedy(0))
    assert "ann v1 leads" in stream.getvalue()


def test_the_bot_that_times_out_most_is_named(clock: Clock) -> None:
    stream = io.StringIO()
    block, result = won_by_greedy(0, ((0, "timeout", 1), (0, "crash", 1), (0, "timeout", 2)))
    bot, matches = block.seatings[0][0], sum(seats[0] == block.seatings[0][0] for seats in block.seatings)
    with Progress(1, stream=stream, clock=clock, labels={bot: "slow one"}) as progress:
        clock.seconds = 1
        progress.add(block, result)
    assert f", slow one timed out {2 * matches} times\n" in stream.getvalue()


def test_nobody_leads_before_the_first_match() -> None:
    assert LiveLeader().leader == ""


def test_who_left_more_opponents_behind_leads() -> None:
    standings = LiveLeader()
    standings.add(["greedy", "random", "prudent"], [2, 3, 1])
    assert standings.leader == "prudent"
    standings.add(["greedy", "random", "prudent"], [1, 2, 3])
    assert standings.leader == "greedy"


def test_a_tie_counts_half() -> None:
    """Level with both others (1, 1, 1) is worth as much as between them (2); alone on top is more."""
    standings = LiveLeader()
    standings.add(["a", "b", "c"], [1, 1, 1])
    standings.add(["d", "e", "f"], [1, 2, 3])
    assert standings.leader == "d"
    standings.add(["d", "e", "f"], [3, 2, 1])
    assert standings.leader == ""  # all have a half now


@pytest.mark.parametrize("matches", [1, 10])
def test_the_mean_counts_not_the_sum(matches: int) -> None:
    standings = LiveLeader()
    for _ in range(matches):
        standings.add(["often", "x", "y"], [2, 1, 3])
    standings.add(["once", "x", "y"], [1, 3, 2])
    assert standings.leader == "once"


def test_a_bot_that_is_out_does_not_lead() -> None:
    standings = LiveLeader()
    standings.add(["greedy", "loop", "random"], [2, 1, 3])
    standings.excluded.add("loop")
    assert standings.leader == "greedy"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_signal_asks_and_the_second_ends(number: signal.Signals) -> None:
    before = signal.signal(number, signal.default_int_handler)  # the tests may have been started by nohup
    try:
        with StopRequest() as stop:
            assert not stop.is_requested
            signal.raise_signal(number)
            assert stop.is_requested
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
    finally:
        signal.signal(number, before)


def test_afterwards_signals_do_what_they_did_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    with StopRequest():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before


def test_a_time_limit_asks_when_it_is_over() -> None:
    assert StopRequest(time_limit_s=0).is_requested
    assert not StopRequest(time_limit_s=1e6).is_requested


def test_a_hangup_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with StopRequest() as stop:
            signal.raise_signal(signal.SIGHUP)
            assert not stop.is_requested
    finally:
        signal.signal(signal.SIGHUP, before)


def test_work_that_does_not_end_in_the_grace_is_interrupted() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with StopRequest(time_limit_s=0, grace_s=0.05) as stop:
        with pytest.raises(KeyboardInterrupt), stop.interrupting():
            time.sleep(60)
        assert stop.is_time_over
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_the_grace_begins_with_the_signal() -> None:
    with StopRequest(time_limit_s=1e9, grace_s=0.05) as stop:
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt), stop.interrupting():
            time.sleep(60)


def test_only_a_signal_interrupts_after_a_graceful_time_limit() -> None:
    def work() -> None:
        signal.raise_signal(signal.SIGTERM)
        time.sleep(60)

    with StopRequest(time_limit_s=0, grace_s=0, is_limit_graceful=True) as stop:
        with stop.interrupting(), stop.interrupting():  # the inner one changes nothing
            assert stop.is_requested
            assert not stop.is_overdue
            assert stop.limit_text == "press Ctrl-C again to stop at once"
            with pytest.raises(KeyboardInterrupt):
                work()
        assert stop.is_overdue


def test_nothing_is_interrupted_while_ctrl_c_is_blocked() -> None:
    def work() -> None:
        with block_interrupts():
            assert signal.sigtimedwait([signal.SIGINT], 0.1) is None
        time.sleep(60)

    with (
        StopRequest(time_limit_s=0, grace_s=0) as stop,
        pytest.raises(KeyboardInterrupt),
        stop.interrupting(),
    ):
        work()
