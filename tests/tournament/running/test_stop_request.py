import signal

import pytest

from arena.tournament.running.stop_request import StopRequest


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
