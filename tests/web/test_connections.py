"""Connections to a real server on the loopback: slow clients, streams, the end of the server."""

import asyncio
import errno
import json
import logging
import os
import select
import signal
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager, suppress

import httpx
import msgspec
import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from arena.errors import ConfigError
from arena.web.context import Feature, WebContext
from arena.web.server import (
    LeagueHTTPServer,
    Listening,
    _log_to_standard_error,
    build_application,
    make_config,
    open_socket,
)

LOOPBACK = Listening(host="127.0.0.1", port=0)


def make_feature(context: WebContext) -> Feature:
    """Return a stream that ends only when the server stops, and one that is larger than any buffer."""

    async def stream() -> AsyncIterator[bytes]:
        yield b"begun"
        await context.stopping.wait()
        yield b"ended"

    async def flood() -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0)  # so that the server sees that the client is gone
            yield bytes(1 << 20)

    async def show_stream(request: Request) -> Response:
        return StreamingResponse(stream())

    async def show_flood(request: Request) -> Response:
        return StreamingResponse(flood())

    return Feature([Route("/stream", show_stream), Route("/flood", show_flood)])


class Served:
    """A server in a thread of this process."""

    def __init__(self, server: uvicorn.Server, port: int) -> None:
        self._server, self.port = server, port

    def connect(self) -> socket.socket:
        """Open a connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def get(self, path: str) -> httpx.Response:
        """Send a request, and return its response."""
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", timeout=30)

    def stop(self) -> None:
        """Do what a signal does."""
        self._server.handle_exit(signal.SIGTERM, None)


@pytest.fixture
def served() -> Iterator[Served]:
    with serve() as server:
        yield server


@contextmanager
def serve(listening: Listening = LOOPBACK) -> Iterator[Served]:
    with open_socket(listening) as listener:
        port = listener.getsockname()[1]
        context = WebContext(url=f"http://127.0.0.1:{port}")
        config = make_config(build_application(context, [make_feature]), listening)
        server = LeagueHTTPServer(config, context.stopping)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield Served(server, port)
        finally:
            server.handle_exit(signal.SIGTERM, None)
            thread.join(30)
            assert not thread.is_alive()


def is_closed(connection: socket.socket) -> bool:
    """Return whether the server closes a connection, without an answer."""
    try:
        return connection.recv(100) == b""
    except ConnectionError:
        return True


ANSWERED = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    ("whole", "begun"),
    [
        (b"", b""),
        (b"", b"GET / HTTP/1.1\r\nHost: "),
        (b"", b"GET /health HTTP/1.1\r\nX: y\r\n"),
        (ANSWERED, b"GET /he"),
    ],
)
def test_a_head_that_does_not_arrive_ends_the_connection(
    served: Served, monkeypatch: pytest.MonkeyPatch, whole: bytes, begun: bytes
) -> None:
    monkeypatch.setattr("arena.web.server.HEADER_TIMEOUT_S", 0.2)
    with served.connect() as slow:
        slow.sendall(whole)
        answer = b""
        while whole and not answer.endswith(b'{"status":"ok"}'):
            answer += slow.recv(1 << 16)
        slow.sendall(begun)
        assert served.get("/health").status_code == 200, "others are served"
        assert is_closed(slow)


def test_a_stream_is_not_ended_for_being_quiet(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.server.HEADER_TIMEOUT_S", 0.05)
    with httpx.stream("GET", f"http://127.0.0.1:{served.port}/stream", timeout=30) as response:
        parts = response.iter_raw()
        assert next(parts) == b"begun"
        time.sleep(0.2)  # four times the limit
        served.stop()
        assert b"".join(parts) == b"ended"


def test_a_client_that_takes_nothing_is_dropped(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("arena.web.server.SEND_TIMEOUT_S", 0.2)
    with served.connect() as slow:
        slow.sendall(b"GET /flood HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        ended = select.poll()
        ended.register(slow, select.POLLERR | select.POLLHUP)
        assert ended.poll(30_000), "the connection stays open, with all that waits to be sent"
    assert "Traceback" not in caplog.text


def test_one_address_cannot_take_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.server.MAX_CONNECTIONS", 6)
    with serve() as served, ExitStack() as stack:
        kept = [stack.enter_context(served.connect()) for _ in range(3)]
        with served.connect() as refused:
            assert is_closed(refused)
        kept.pop().close()
        while True:  # until the server has seen that
            with served.connect() as again, suppress(ConnectionError):
                again.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                if again.recv(100).startswith(b"HTTP/1.1 200"):
                    break


def test_a_large_head_is_refused_and_answers_name_no_software(served: Served) -> None:
    assert "server" not in served.get("/health").headers
    with served.connect() as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 200_000 + b"\r\n\r\n")
        assert client.recv(100).startswith((b"HTTP/1.1 400", b"HTTP/1.1 431"))


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no socket here takes IPv4 and IPv6")
def test_clients_of_ipv4_have_their_addresses_on_a_socket_for_ipv6(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "arena.web.context")
    with serve(Listening(host="::", port=0, is_proxied=True)) as served:
        for headers in ({}, {"X-Forwarded-For": "192.0.2.7"}):
            url = f"http://127.0.0.1:{served.port}/health"
            assert httpx.get(url, headers=headers, timeout=30).status_code == 200
    entries = [msgspec.json.decode(record.getMessage()) for record in caplog.records]
    assert [entry["address"] for entry in entries if "address" in entry] == ["127.0.0.1", "192.0.2.7"]


def test_a_taken_port_is_said() -> None:
    with open_socket(LOOPBACK) as listener:
        taken = Listening(host="127.0.0.1", port=listener.getsockname()[1])
        with pytest.raises(ConfigError, match="choose another"):
            open_socket(taken)


def test_the_log_is_json_with_a_line_a_minute_on_a_shortage(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("arena", "asyncio", "uvicorn")
    for name in names:
        monkeypatch.setattr(logging.getLogger(name), "handlers", [])
    monkeypatch.setattr(logging.getLogger("arena.web"), "level", logging.NOTSET)
    _log_to_standard_error(logging.INFO)
    logging.getLogger("arena.play.players").warning("bot at seat 1: crash: Traceback\n  two lines")
    logging.getLogger("arena.web.context").info('{"status":200}')
    for name in names * 20:
        try:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        except OSError as error:
            logging.getLogger(name).error("failed", exc_info=error)
    entries = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [entry.get("level") for entry in entries] == ["WARNING", None, "ERROR"]
    assert entries[0]["message"] == "bot at seat 1: crash: Traceback\n  two lines"
    assert "Too many open files" in entries[2]["message"]
