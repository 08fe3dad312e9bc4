"""Handing in at a server from elsewhere."""

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ArenaError, ConfigError
from arena.league.server_client import LeagueServer, pack_bot

TOKEN = "abc123"
NOTES: list[bytes] = []
BOT = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"


class _Handler(BaseHTTPRequestHandler):
    """Answers as a league's server does."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            self._send(401, b'{"error": "no such token"}')
        elif self.path == "/api/hand-ins?name=redirected":
            self.send_response(307)
            self.send_header("Location", "https://evil.example/")
            self.end_headers()
        elif self.path == "/api/hand-ins?name=broken":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"{")
        elif self.path == "/api/hand-ins/7/note":
            NOTES.append(body)
            self._send(200, b"{}")
        else:
            self._send(201, json.dumps({"number": 7, "bytes": len(body), "path": self.path}).encode())

    def do_GET(self) -> None:
        self._send(
            200, b': waiting\n\nevent: game\ndata: "lives"\n\nevent: hand-in\ndata: {"state": "passed"}\n\n'
        )

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing."""

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_bot_is_handed_in_and_followed(url: str) -> None:
    server = LeagueServer(url, TOKEN)
    assert server.hand_in(b"bytes", "a b") == {"number": 7, "bytes": 5, "path": "/api/hand-ins?name=a+b"}
    assert list(server.follow(7)) == [("game", "lives"), ("hand-in", {"state": "passed"})]


def test_a_note_is_sent_with_a_bot(url: str, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "mine.py").write_text(BOT)
    command = ["submit", f"{tmp_path}/mine.py:Mine", "--to", url, "--token-file", f"{tmp_path}/token"]
    result = CliRunner().invoke(main, [*command, "--note", "knocks & waits", "--json"])
    assert (result.exit_code, NOTES) == (0, [b"note=knocks+%26+waits"]), result.output


@pytest.mark.parametrize(
    ("token", "name", "message"),
    [
        ("wrong", "", "answered 401: no such token"),
        (TOKEN, "redirected", "answered 307"),
        (TOKEN, "broken", "cannot be reached"),
    ],
)
def test_what_goes_wrong_is_said(url: str, token: str, name: str, message: str) -> None:
    with pytest.raises(ArenaError, match=message):
        LeagueServer(url, token).hand_in(b"bytes", name)


def test_a_file_without_a_token_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="the token file"):
        LeagueServer(url, "name,token\nann,abc")


def test_a_server_that_is_not_there_is_said() -> None:
    with pytest.raises(ArenaError, match="cannot be reached"):
        LeagueServer("http://127.0.0.1:9", TOKEN).hand_in(b"bytes")


def test_the_same_files_are_the_same_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.toml").write_text('name = "mine"\nclass = "bot.py:Mine"\n')
    packed = pack_bot(str(folder))
    (folder / "bot.py").touch()
    assert pack_bot(str(folder)) == packed
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["bot.py", "bot.toml"]
    (tmp_path / "mine.zip").write_bytes(packed)
    assert pack_bot(str(tmp_path / "mine.zip")) == packed
    with zipfile.ZipFile(io.BytesIO(pack_bot(f"{folder}/bot.py:Mine"))) as archive:
        assert b'name = "mine"' in archive.read("bot.toml")
