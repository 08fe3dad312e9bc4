"""Handing in a bot at a league's server, over its HTTP API, with the standard library alone."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from http.client import HTTPException
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from arena.errors import ArenaError, ConfigError
from arena.plugins.bot_files import MAX_BOT_BYTES, default_name, files_of
from arena.plugins.bot_spec import parse_bot

TIMEOUT_S: Final = 60.0
"""Seconds without a byte; a stream of events has a comment every 15."""
OLDEST: Final = (1980, 1, 1, 0, 0, 0)
"""Date of files in an archive: the same files are the same bytes."""
MAX_ANSWER_BYTES: Final = 16 << 20


class LeagueServer:
    """A league's server and a token for it.

    Args:
        url: Its address, without a slash at the end.
        token: From `arena league invite`.
    """

    def __init__(self, url: str, token: str) -> None:
        if not (token.isascii() and token.isalnum()):
            raise ConfigError("the token file has something else than one token: letters and digits")
        self._url, self._token = url, token
        self._opener: OpenerDirector = build_opener(_NoRedirects)  # a token is for this server alone

    def hand_in(self, archive: bytes, name: str = "") -> dict[str, Any]:
        """Hand in a bot, and return what the server says about it; without a name it has its own."""
        request = self._request(f"/api/hand-ins?{urlencode({'name': name})}", archive)
        request.add_header("Content-Type", "application/zip")
        return self._read(request)

    def write_note(self, number: int, note: str) -> None:
        """Store a private note on a hand-in."""
        self._read(self._request(f"/api/hand-ins/{number}/note", urlencode({"note": note}).encode()))

    def follow(self, number: int) -> Iterator[tuple[str, Any]]:
        """Yield the events of a hand-in until its check and its provisional places are finished."""
        kind = ""
        try:
            with self._opener.open(
                self._request(f"/api/hand-ins/{number}/events"), timeout=TIMEOUT_S
            ) as stream:
                for line in stream:
                    name, _, value = line.decode(errors="replace").rstrip("\n").partition(": ")
                    if name == "event":
                        kind = value
                    elif name == "data":
                        yield kind, json.loads(value)
        except (OSError, HTTPException, ValueError) as error:
            raise _explain(self._url, error) from error

    def _request(self, path: str, data: bytes | None = None) -> Request:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        return Request(f"{self._url}{path}", data, headers)

    def _read(self, request: Request) -> dict[str, Any]:
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                fields = json.loads(answer.read(MAX_ANSWER_BYTES))
        except (OSError, HTTPException, ValueError) as error:
            raise _explain(self._url, error) from error
        if not isinstance(fields, dict):
            raise ArenaError(f"{self._url} is not a league's server")
        return fields


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **others: Any) -> None:
        """Follow no redirect."""


def pack_bot(text: str) -> bytes:
    """Return the files of a bot as a zip archive: the same files give the same bytes.

    Args:
        text: Names a folder, a zip archive, a file and class, or a command.
    """
    path = Path(text)
    if path.is_file() and zipfile.is_zipfile(path):
        return path.read_bytes()
    spec = parse_bot(text, Path())
    packed, left = BytesIO(), MAX_BOT_BYTES
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(files_of(spec, default_name(spec)), key=lambda bot_file: bot_file.name):
            info = zipfile.ZipInfo(file.name, OLDEST)
            info.external_attr = (0o755 if file.is_program else 0o644) << 16
            with file.open() as source:
                content = source.read(left + 1)
            left -= len(content)
            if left < 0:
                raise ConfigError(f"{text} is larger than {MAX_BOT_BYTES >> 20} MiB")
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _explain(url: str, error: OSError | HTTPException | ValueError) -> ArenaError:
    if isinstance(error, HTTPError):
        try:
            fields = json.loads(error.read(MAX_ANSWER_BYTES))
            return ArenaError(f"{url} answered {error.code}: {fields['error']}")
        except (OSError, ValueError, KeyError, TypeError):
            return ArenaError(f"{url} answered {error.code} {error.reason}")
    reason = error.reason if isinstance(error, URLError) else error
    return ArenaError(f"{url} cannot be reached: {reason}")
