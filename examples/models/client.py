"""A client for the chat dialect of OpenAI, which Ollama, vLLM, llama.cpp and gateways speak too.

It is the standard library's `urllib`: one request and one answer need no package, and each package installed
beside an API key could read it. It follows no redirect, which would carry the key to another host.
"""

import json
import math
import os
import random
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import partial
from http.client import HTTPException, HTTPResponse
from io import BufferedReader, RawIOBase
from urllib.error import HTTPError
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from arena import Unavailable

TRIES = 4
MAX_REPLY_BYTES = 4 << 20
MAX_ERROR_BYTES, MAX_QUOTED_CHARS = 1 << 16, 120
MAX_KEPT_CHARS = 100_000
MAX_TOKENS = 10_000_000
MAX_ADDRESSES = 4
"""Addresses of a server that are tried; each has this part of the time that is left."""
PASSING = {408, 409, 425, 429}
KEY_PART = 8
"""So many characters of the key in a row are a part of it."""


class Passing(Exception):
    """A failure that may pass; `after_s` is when the server asks to be asked again."""

    def __init__(self, what, after_s=None):
        super().__init__(what)
        self.after_s = after_s


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class TimedStream(RawIOBase):
    """Stream of the bytes that a socket receives until the deadline, however slowly they come."""

    def __init__(self, stream, sock, deadline):
        self._stream, self._sock, self._deadline = stream, sock, deadline

    def readable(self):
        return True

    def readinto(self, buffer):
        self._sock.settimeout(max(self._deadline - time.monotonic(), 0.001))
        return self._stream.readinto(buffer)

    def close(self):
        self._stream.close()
        super().close()


class TimedResponse(HTTPResponse):
    def __init__(self, deadline, sock, **options):
        super().__init__(sock, **options)
        self.fp = BufferedReader(TimedStream(self.fp.detach(), sock, deadline))


class Timed:
    """Ends the reading of headers and bodies at the deadline of a request."""

    def do_open(self, connection_class, request, **options):
        def connect(host, **more):
            connection = connection_class(host, **more)
            connection.response_class = partial(TimedResponse, request.deadline)
            return connection

        return super().do_open(connect, request, **options)


class TimedHTTP(Timed, HTTPHandler):
    pass


class TimedHTTPS(Timed, HTTPSHandler):
    pass


class Client:
    """Asks one model. Every text that leaves it has been cleared of the key."""

    def __init__(self, settings):
        name = settings.get("api_key_env", "")
        self._key = os.environ.get(name, "").strip()
        if name and not self._key:
            why = "of the environment, or bot.toml does not pass it on"
            raise Unavailable(None, f"there is no API key in the variable {name} {why}")
        if not (self._key.isascii() and self._key.isprintable()) or " " in self._key:
            what = "a space, a line break, or a character that is not ASCII"
            raise Unavailable(None, f"the API key in the variable {name} contains {what}")
        self._url = settings.get("base_url", "http://127.0.0.1:11434/v1").rstrip("/") + "/chat/completions"
        self._prices = settings.get("prices", [0, 0])
        self._backoff_s = settings.get("backoff", 1.0)
        self._opener = build_opener(NoRedirect, TimedHTTP, TimedHTTPS)

    def ask(self, body, deadline):
        """Return a reply as a dict; raise Unavailable when the server has failed for long enough."""
        for number in range(TRIES):
            started = time.monotonic()
            try:
                reply = self._read_reply(body, self._post(body, deadline))
                return {**reply, "seconds": round(time.monotonic() - started, 3)}
            except Passing as error:
                what, after_s = str(error), error.after_s
            except TimeoutError:
                what, after_s = "the answer did not end in time", None
            except (OSError, HTTPException, ValueError) as error:
                what, after_s = self._quote(f"{type(error).__name__}: {error}"), None
            wait_s = after_s or self._backoff_s * 2**number * random.uniform(0.5, 1.5)
            if number == TRIES - 1 or time.monotonic() + wait_s > deadline - 1:
                break
            time.sleep(wait_s)
        asks = f"; it asks to wait {after_s:.0f} s" if after_s else ""
        raise Unavailable(after_s or 30 * self._backoff_s, f"the model does not answer: {what}{asks}")

    def _post(self, body, deadline):
        headers = {"Content-Type": "application/json", "User-Agent": "commerce-arena"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(self._url, json.dumps(body).encode(), headers)
        request.deadline = deadline
        timeout_s = max(deadline - time.monotonic(), 0.1) / MAX_ADDRESSES
        try:
            with self._opener.open(request, timeout=timeout_s) as response:
                data = b""
                while len(data) <= MAX_REPLY_BYTES and (piece := response.read1(1 << 16)):
                    data += piece
                whole = int(response.headers.get("Content-Length") or 0)
                if len(data) < min(whole, MAX_REPLY_BYTES):
                    raise Passing("the answer was cut off")
                return data
        except HTTPError as error:
            data = b""
            with error, suppress(OSError, HTTPException):
                data = error.read(MAX_ERROR_BYTES)
            said = f"HTTP {error.code}: {self._quote(_read_error(data))}"
            if error.code in PASSING or error.code >= 500:
                raise Passing(said, _read_delay(error.headers.get("Retry-After"))) from None
            raise Unavailable(None, f"the model's server refuses: {said}") from None

    def _read_reply(self, body, data):
        sent = sum(len(part["content"]) for part in body["messages"])
        if len(data) > MAX_REPLY_BYTES:
            return {"text": "", "reasoning": "", "finish": "too-long", **self._price({}, sent, len(data))}
        try:
            answer = json.loads(data)
            choice = answer["choices"][0]
            message = choice["message"]
            parts = message.get("content"), message.get("reasoning_content") or message.get("reasoning")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise Passing(f"no chat completion, but: {self._quote(_read_error(data))}") from None
        text, reasoning = [self._clear(part if isinstance(part, str) else "") for part in parts]
        text, reasoning = text[:MAX_KEPT_CHARS], reasoning[:MAX_KEPT_CHARS]
        usage = answer["usage"] if isinstance(answer.get("usage"), dict) else {}
        finish = self._clear(str(choice.get("finish_reason")))[:20]
        bill = self._price(usage, sent, len(text) + len(reasoning))
        return {"text": text, "reasoning": reasoning, "finish": finish, **bill}

    def _price(self, usage, sent, received):
        """Return the tokens and their cost, given what is reported and the characters there were."""
        counts = (("prompt_tokens", sent), ("completion_tokens", received))
        tokens = [_count(usage.get(name), chars) for name, chars in counts]
        cost = sum(number * price for number, price in zip(tokens, self._prices, strict=True)) / 1e6
        return {"tokens": tokens, "cost": cost}

    def _quote(self, text):
        return self._clear(" ".join(text.split()))[:MAX_QUOTED_CHARS]

    def _clear(self, text):
        """Return a text in valid Unicode without the key, or none of it if a part of the key is there."""
        text = text.encode(errors="replace").decode()
        if not self._key:
            return text
        text = text.replace(self._key, "[API key]")
        starts = range(len(self._key) - KEY_PART + 1)
        is_cut = any(self._key[start : start + KEY_PART] in text for start in starts)
        return "[a text with a part of the API key]" if is_cut else text


def _read_error(data):
    """Return the message in the JSON of an error, or what was sent instead."""
    text = data.decode(errors="replace")
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return text
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else json.dumps(answer, ensure_ascii=False)


def _count(reported, chars):
    """Return a number of tokens as reported, or an estimate where that cannot be true."""
    estimate = chars // 4 + 1
    is_number = isinstance(reported, int) and not isinstance(reported, bool)
    return reported if is_number and estimate // 4 <= reported <= MAX_TOKENS else estimate


def _read_delay(value):
    """Return the seconds in a `Retry-After`, which may be a date; None for nothing to wait for."""
    for read in (float, lambda date: parsedate_to_datetime(date).timestamp() - time.time()):
        with suppress(TypeError, ValueError):
            seconds = read(value)
            return seconds if 0 < seconds < math.inf else None
    return None
