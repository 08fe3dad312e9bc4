import signal
import time

import pytest

from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.workers import block_interrupts


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
