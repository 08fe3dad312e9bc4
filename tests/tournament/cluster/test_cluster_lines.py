"""What a worker logs comes out in the log of the run, at its time and under its name, whole and bounded."""

import logging
import threading

import pytest

from arena.tournament.cluster import log_forwarding
from arena.tournament.cluster.log_forwarding import kept, log_again

log = logging.getLogger("arena.test")


def test_lines_are_logged_again_as_they_were(caplog: pytest.LogCaptureFixture) -> None:
    with kept(logging.INFO) as lines:
        log.info("all %s", "well")
        log.debug("nobody asks")
        try:
            raise ValueError("trouble")
        except ValueError:
            log.exception("caught")
    caplog.clear()
    log_again(lines, "tcp://worker:1")
    first, second = caplog.records
    assert (first.name, first.levelname, first.getMessage()) == ("arena.test", "INFO", "all well")
    assert second.getMessage().startswith("caught\nTraceback")
    assert second.getMessage().endswith("ValueError: trouble")
    assert {record.processName for record in caplog.records} == {"tcp://worker:1"}
    assert [record.created for record in caplog.records] == [line.created for line in lines]


def test_other_threads_of_a_worker_are_not_heard() -> None:
    with kept(logging.INFO) as lines:
        thread = threading.Thread(target=log.warning, args=("of another run",))
        thread.start()
        thread.join()
    assert lines == []


def test_of_very_many_lines_there_is_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_forwarding, "MOST", 2)
    with kept(logging.INFO) as lines:
        for number in range(5):
            log.info("line %d", number)
    assert [line.text for line in lines] == ["line 0", "line 1", "3 more lines were logged"]


def test_the_log_s_own_level_comes_back() -> None:
    before = logging.getLogger().level
    with kept(logging.DEBUG):
        pass
    assert logging.getLogger().level == before
