"""A worker's log records reach the log of the run, with their times and logger names, whole and bounded."""

import logging
import pickle
import threading

import pytest

from arena.tournament.engine import dask
from arena.tournament.engine.dask import collect_records, log_again

WORKER = "tcp://worker:1"

log = logging.getLogger("arena.test")


def test_records_are_logged_again_as_they_were(caplog: pytest.LogCaptureFixture) -> None:
    with collect_records(logging.INFO, WORKER) as records:
        log.info("all %s", "well")
        log.debug("below the level")
        try:
            raise ValueError("trouble")
        except ValueError:
            log.exception("caught")
    caplog.clear()
    log_again(pickle.loads(pickle.dumps(records)))
    first, second = caplog.records
    assert (first.name, first.levelname, first.getMessage()) == ("arena.test", "INFO", "all well")
    assert second.getMessage().startswith("caught\nTraceback")
    assert second.getMessage().endswith("ValueError: trouble")
    assert {record.processName for record in caplog.records} == {WORKER}
    assert [record.created for record in caplog.records] == [record.created for record in records]


def test_records_of_other_threads_are_left_out() -> None:
    with collect_records(logging.INFO, WORKER) as records:
        thread = threading.Thread(target=log.warning, args=("of another run",))
        thread.start()
        thread.join()
    assert records == []


def test_records_above_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "MAX_RECORDS", 2)
    with collect_records(logging.INFO, WORKER) as records:
        for number in range(5):
            log.info("line %d", number)
    assert [record.getMessage() for record in records] == ["line 0", "line 1", "3 more lines were logged"]
    assert records[-1].processName == WORKER


def test_the_root_level_is_restored() -> None:
    before = logging.getLogger().level
    with collect_records(logging.DEBUG, WORKER):
        pass
    assert logging.getLogger().level == before
