"""The workers of a cluster that play a run: those that were asked, and would play it as this process."""

from __future__ import annotations

import logging
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

import dask
import msgspec
from distributed import Client
from distributed.cfexecutor import ClientExecutor

from arena.plugins.class_loading import describe_error
from arena.tournament.cluster.compatibility import Installation
from arena.tournament.cluster.opaque_call import sealed, unseal
from arena.tournament.cluster.run_bundle import Luggage
from arena.tournament.cluster.worker import Greeting, farewell, welcome

GOODBYE_S = 5.0
"""In which a worker is to remove what a run has brought it."""

Worker = tuple[str, str]
"""Its address and the folder it keeps, which is another in each process."""

log = logging.getLogger(__name__)


class Crew:
    """The workers that have been met. What they say is heard by looking around."""

    def __init__(self, client: Client, executor: ClientExecutor, luggage: Luggage) -> None:
        self.addresses: frozenset[str] = frozenset()
        """Of those that play."""
        self.refused: dict[Worker, str] = {}
        """Those there that do not play, and why."""
        self._client, self._executor, self._token = client, executor, luggage.token
        self._house, self._luggage = Installation.here(), msgspec.Raw(msgspec.msgpack.encode(luggage))
        self._asked: dict[Worker, Future[list[str]]] = {}
        self._accepted: set[Worker] = set()

    def look_around(self) -> None:
        """Greets who has come, hears who has answered, and forgets who has gone.

        Raises: OSError, when the scheduler is gone.
        """
        there = self._there()
        for worker in there.keys() - self._asked.keys() - self._accepted - self.refused.keys():
            self._greet(worker, there)
        for worker in [worker for worker, future in self._asked.items() if future.done()]:
            self._hear(worker, self._asked.pop(worker))
        for gone in self._asked.keys() - there.keys():
            self._asked.pop(gone).cancel()
        for address, _ in self._accepted - there.keys():
            log.warning("the worker %s is gone; what it had in hand goes to another", address)
        self._accepted &= there.keys()
        self.refused = {worker: why for worker, why in self.refused.items() if worker in there}
        self.addresses = frozenset(address for address, _ in self._accepted)

    def await_answer(self, seconds: float) -> None:
        """Waits until one of those who were asked answers, or that long."""
        if self._asked:
            wait(self._asked.values(), seconds, FIRST_COMPLETED)
        else:
            time.sleep(seconds)

    @property
    def is_awaited(self) -> bool:
        """Whether somebody who is there has not answered yet, or nobody is there."""
        return bool(self._asked) or not self.refused

    def dismiss(self) -> None:
        """Lets those that play remove what the run has brought them.

        Raises: OSError, when the scheduler is gone.
        """
        self.look_around()
        left = [self._submit(farewell, self._token, address) for address in self.addresses]
        wait(left, timeout=GOODBYE_S)

    def _there(self) -> dict[Worker, dict[str, Any]]:
        """The workers that have joined the scheduler, with what it knows of them."""
        if self._client.status != "running":
            raise ConnectionError("the connection is lost")
        found = self._client.scheduler_info(n_workers=-1)["workers"]
        return {(address, one["local_directory"]): one for address, one in found.items()}

    def _greet(self, worker: Worker, there: dict[Worker, dict[str, Any]]) -> None:
        threads, host = there[worker]["nthreads"], there[worker]["host"]
        if threads != 1:
            self._refuse(worker, f"it has {threads} threads; start it with --nthreads 1")
            return
        sharers = sum(one["host"] == host for one in there.values())
        greeting = msgspec.msgpack.encode(Greeting(self._house, sharers, self._luggage))
        self._asked[worker] = self._submit(welcome, greeting, worker[0])

    def _hear(self, worker: Worker, future: Future[list[str]]) -> None:
        try:
            unlike = future.result()
        except ModuleNotFoundError as error:
            unlike = [f"it has no {error.name}, which is part of this one"]
        except Exception as error:
            unlike = [f"it cannot be asked what it is like: {describe_error(error)}"]
        if unlike:
            self._refuse(worker, "; ".join(unlike))
        else:
            self._accepted.add(worker)
            log.info("%s plays", worker[0], extra={"file_only": True})

    def _refuse(self, worker: Worker, why: str) -> None:
        self.refused[worker] = why
        log.warning("the worker %s does not play: %s", worker[0], why)

    def _submit(self, function: Any, argument: Any, address: str) -> Future[Any]:
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"}):
            future: Future[Any] = self._executor.submit(unseal, sealed(function, argument), workers=[address])
        return future
