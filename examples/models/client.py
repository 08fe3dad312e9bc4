"""A client for the chat dialect of OpenAI, which Ollama, vLLM, llama.cpp and gateways speak too.

It is the standard library's `urllib`: one request and one answer need no package, and each package installed
beside an API key could read it. It follows no redirect, which would carry the key to another host.
"""

import json
import os
import random
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from arena import Unavailable

TRIES = 4
MAX_REPLY_BYTES = 4 << 20
MAX_ERROR_BYTES, MAX_QUOTED_CHARS = 1 << 16, 120
MAX_KEPT_CHARS = 100_000
MAX_TOKENS = 10_000_000
PASSING = {408, 409, 425, 429}


class Passing(Exception):
    """A failure that may pass; `after_s` is when the server asks to be asked again."""

    def __init__(self, what, after_s=None):
        super().__init__(what)
        self.after_s = after_s


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Client:
    """Asks one model. Every text that leaves it has been cleared of the key."""

    def __init__(self, settings):
        name = settings.get("api_key_env", "")
        self._key = os.environ.get(name, "").strip()
        if name and not self._key:
            why = "of the environment, or bot.toml does not pass it on"
            raise Unavailable(None, f"there is no API key in the variable {name} {why}")
        self._url = settings.get("base_url", "http://127.0.0.1:11434/v1").rstrip("/") + "/chat/completions"
        self._prices = settings.get("prices", [0, 0])
        self._backoff_s = settings.get("backoff", 1.0)
        self._opener = build_opener(NoRedirect)

    def ask(self, body, deadline):
        """Return a reply as a dict; raise Unavailable when the server has failed for long enough."""
        for number in range(TRIES):
            started = time.monotonic()
            try:
                reply = self._read_reply(body, self._post(body, deadline))
                return {**reply, "seconds": round(time.monotonic() - started, 3)}
            except (Passing, OSError, HTTPException, ValueError) as error:
                what = self._clear(f"{type(error).__name__}: {error}")
                after_s = getattr(error, "after_s", None)
            wait_s = after_s or self._backoff_s * 2**number * random.uniform(0.5, 1.5)
            if number == TRIES - 1 or time.monotonic() + wait_s > deadline - 1:
                break
            time.sleep(wait_s)
        raise Unavailable(after_s or 30 * self._backoff_s, f"the model does not answer: {what}")

    def _post(self, body, deadline):
        headers = {"Content-Type": "application/json", "User-Agent": "commerce-arena"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(self._url, json.dumps(body).encode(), headers)
        try:
            with self._opener.open(request, timeout=max(deadline - time.monotonic(), 0.1)) as response:
                data = b""
                while len(data) <= MAX_REPLY_BYTES and (piece := response.read1(1 << 16)):
                    data += piece
                    if time.monotonic() > deadline:
                        raise Passing("the answer did not end in time")
                whole = int(response.headers.get("Content-Length") or 0)
                if len(data) < min(whole, MAX_REPLY_BYTES):
                    raise Passing("the answer was cut off")
                return data
        except HTTPError as error:
            with error:
                said = self._quote(error.read(MAX_ERROR_BYTES))
            if error.code in PASSING or error.code >= 500:
                raise Passing(f"HTTP {error.code}", _read_delay(error.headers.get("Retry-After"))) from None
            raise Unavailable(None, f"the model's server refuses: HTTP {error.code}: {said}") from None

    def _read_reply(self, body, data):
        if len(data) > MAX_REPLY_BYTES:
            return {"text": "", "reasoning": "", "finish": "too-long", "tokens": [0, 0], "cost": 0.0}
        try:
            answer = json.loads(data)
            choice = answer["choices"][0]
            message = choice["message"]
            parts = message.get("content"), message.get("reasoning_content") or message.get("reasoning")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise Passing(f"no chat completion, but: {self._quote(data)}") from None
        text, reasoning = [self._clear(part if isinstance(part, str) else "") for part in parts]
        text, reasoning = text[:MAX_KEPT_CHARS], reasoning[:MAX_KEPT_CHARS]
        usage = answer["usage"] if isinstance(answer.get("usage"), dict) else {}
        sent, received = sum(len(part["content"]) for part in body["messages"]), len(text) + len(reasoning)
        counts = (("prompt_tokens", sent), ("completion_tokens", received))
        tokens = [_count(usage.get(name), chars) for name, chars in counts]
        cost = sum(number * price for number, price in zip(tokens, self._prices, strict=True)) / 1e6
        finish = self._clear(str(choice.get("finish_reason")))[:20]
        return {"text": text, "reasoning": reasoning, "finish": finish, "tokens": tokens, "cost": cost}

    def _quote(self, data):
        return self._clear(" ".join(data.decode(errors="replace").split()))[:MAX_QUOTED_CHARS]

    def _clear(self, text):
        return text.replace(self._key, "[API key]") if self._key else text


def _count(reported, chars):
    """Return a number of tokens as reported, or an estimate where that cannot be true."""
    estimate = chars // 4 + 1
    is_number = isinstance(reported, int) and not isinstance(reported, bool)
    return reported if is_number and estimate // 4 <= reported <= MAX_TOKENS else estimate


def _read_delay(value):
    """Return the seconds in a `Retry-After`, which may be a date; None for nothing that can be read."""
    for read in (float, lambda date: parsedate_to_datetime(date).timestamp() - time.time()):
        with suppress(TypeError, ValueError):
            return max(0.1, read(value))
    return None
