"""Calls to a language model that the arena keeps in flight, against a server that takes 200 ms for each.

    python -m benchmarks.model_calls
    python -m benchmarks.model_calls --delay 2 --spread

The bot is `examples/models`, once at each table of four; the server of this module answers on loopback in a
process of its own, so both share the cores. `--spread` varies the delay between half and one and a half times
its mean. Printed is the rate of calls in the second half, beside what the limit allows: calls in flight by
the seconds of one. The tests use `ModelServer`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final, Self

import click

from arena import run_tournament

ACTIONS: Final = re.compile(r"^(\d+)\. ", re.MULTILINE)
MODELS: Final = Path(__file__).parents[1] / "examples/models"
COUNTED: Final = (0.5, 0.99)
"""The part of the calls that is timed: before, checkpoints divide a run, at which bots can be disqualified;
the last calls are those of the longest match."""

Behaviour = Callable[["_Handler", dict[str, Any], int], None]
"""Answers a request, given its body and how many like it had come from its model before."""


def good_number(body: dict[str, Any]) -> int:
    """Return a legal action, always the same for the same question."""
    question = next(part["content"] for part in body["messages"] if part["role"] == "user")
    most = max(int(number) for number in ACTIONS.findall(question.partition("The legal actions:")[2]))
    return int(hashlib.sha256(question.encode()).hexdigest(), 16) % most + 1


def completion(text: str, **fields: Any) -> bytes:
    """Return a chat completion with a text."""
    message = {"role": "assistant", "content": text, **fields.pop("message", {})}
    usage = {"prompt_tokens": 900, "completion_tokens": 12}
    reply = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage, **fields}
    return json.dumps(reply).encode()


def answer_well(handler: _Handler, body: dict[str, Any], number: int) -> None:
    """Answer with a legal action after a thought."""
    thought = {"reasoning_content": "I count the cards."}
    handler.reply(completion(f'{{"action": {good_number(body)}}}', message=thought))


class ModelServer(ThreadingHTTPServer):
    """A server of the chat dialect on loopback; each model has the behaviour of its name.

    Attributes:
        calls: How often each model was asked each question.
        most: The most requests that were answered at the same time.
        times: When requests came.
    """

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, port: int = 0, **behaviours: Behaviour) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.behaviours = behaviours
        self.calls: Counter[str] = Counter()
        self.by_model: Counter[str] = Counter()
        self.times: list[float] = []
        self.guard, self.now, self.most = Lock(), 0, 0

    @property
    def url(self) -> str:
        """The `base_url` for a bot."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that were killed."""


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        server, body = self.server, json.loads(data)
        with server.guard:
            server.times.append(time.monotonic())
            server.calls[hashlib.sha256(data).hexdigest()] += 1
            number = server.by_model[body["model"]]
            server.by_model[body["model"]] += 1
            server.now += 1
            server.most = max(server.most, server.now)
        try:
            server.behaviours[body["model"]](self, body, number)
        finally:
            with server.guard:
                server.now -= 1

    def reply(self, data: bytes, status: int = 200, **headers: str) -> None:
        """Send a whole answer."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def serve_late(pipe: Connection, delay: float, spread: bool) -> None:
    """Answer after a delay until told to end; send the address first, and what was counted at the end."""

    def answer_late(handler: _Handler, body: dict[str, Any], number: int) -> None:
        time.sleep(delay * (0.5 + good_number(body) * 0.618 % 1) if spread else delay)
        answer_well(handler, body, number)

    with ModelServer(late=answer_late) as server:
        pipe.send(server.url)
        pipe.recv()
        pipe.send((server.times, server.most, time.process_time()))


@click.command(help=__doc__)
@click.option("--delay", default=0.2, show_default=True, help="Seconds that the server takes for an answer.")
@click.option("--spread", is_flag=True, help="Vary the delay.")
@click.option("--blocks", default=512, show_default=True)
@click.option("--in-flight", default=64, show_default=True, help="Calls in flight that the settings allow.")
@click.option("--jobs", default=1, show_default=True)
def main(delay: float, spread: bool, blocks: int, in_flight: int, jobs: int) -> None:
    """Play a run against the server, and print the rate of calls."""
    context = get_context("spawn")
    here, there = context.Pipe()
    context.Process(target=serve_late, args=(there, delay, spread), daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        bot: dict[str, Any] = {"bot": str(MODELS), "name": "model", "model": "late", "base_url": here.recv()}
        bot["concurrency"] = in_flight // 4 // jobs  # a process for each of four rotations
        started = os.times()
        config = {
            "bots": [bot, "greedy", "prudent", "random"],
            "variants": [{"name": "lives", "players": 4}],
            "blocks": blocks,
            "seed": "calls",
            "limits": {"decision_ms": 60_000, "start_ms": 60_000},
        }
        run_tournament(config, Path(folder, "run"), jobs=jobs, isolation="process")
        ended = os.times()
    here.send("end")
    times, most, server_cpu = here.recv()
    first, last = (times[int(share * len(times))] for share in COUNTED)
    counted = (COUNTED[1] - COUNTED[0]) * len(times)
    rate, allowed = counted / (last - first), in_flight / delay
    cpu = sum(ended[:4]) - sum(started[:4])
    click.echo(
        f"{len(times):,} calls, {most} in flight at most; "
        f"{cpu:.1f} s of CPU time, {server_cpu:.1f} s of them the server's"
    )
    click.echo(f"{rate:.0f} calls/s of {allowed:.0f} that {in_flight} in flight allow: {rate / allowed:.0%}")


if __name__ == "__main__":
    main()
