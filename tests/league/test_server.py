"""The server of a league's site."""

import http.client
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.league.server import make_server

Ask = Callable[..., http.client.HTTPResponse]


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    """Ask a server of a small site, and return its response."""
    site = tmp_path / "site"
    (site / "bots").mkdir(parents=True)
    (site / "index.html").write_text("hello")
    (tmp_path / "secret").write_text("secret")
    (site / "link").symlink_to(tmp_path / "secret")
    with make_server(site, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def run(path: str, method: str = "GET", host: str = "localhost") -> http.client.HTTPResponse:
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
            connection.request(method, path, headers={"Host": host})
            return connection.getresponse()

        yield run
        server.shutdown()


def test_files_of_the_site_are_sent(ask: Ask) -> None:
    response = ask("/")
    assert (response.status, response.read()) == (200, b"hello")
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/../secret", "/%2e%2e/secret", "/link", "/bots/", "/none", "//etc/passwd", "/%00"]
)
def test_nothing_else_is_sent(ask: Ask, path: str) -> None:
    response = ask(path)
    assert response.status == 404
    assert b"secret" not in response.read().replace(b"/secret", b"")


def test_other_methods_and_other_hosts_are_refused(ask: Ask) -> None:
    assert ask("/", method="POST").status == 501
    assert ask("/", host="evil.example").status == 404


def test_the_name_of_the_host_is_taken_in_any_case(ask: Ask) -> None:
    assert ask("/", host="LOCALHOST").status == 200


def test_clients_that_send_nothing_are_dropped_and_others_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.league.server._SiteHandler.timeout", 0.2)
    monkeypatch.setattr("arena.league.server.MAX_CONNECTIONS", 4)
    (tmp_path / "index.html").write_text("hello")
    with make_server(tmp_path, 0) as server, ExitStack() as silent:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for _ in range(12):
            silent.enter_context(socket.create_connection(("127.0.0.1", server.server_port)))
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
        connection.request("GET", "/", headers={"Host": "localhost"})
        assert connection.getresponse().read() == b"hello"
        connection.close()
        server.shutdown()


def test_a_taken_port_and_a_missing_site_are_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no"):
        make_server(tmp_path / "site", 0)
    with make_server(tmp_path, 0) as server, pytest.raises(StoreError, match="cannot be used"):
        make_server(tmp_path, server.server_port)
