"""Requests are checked before anything is done, and every answer has its headers."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena import __version__
from arena.web import context
from arena.web.context import Feature, RateLimit, WebContext, address_of, name_client
from arena.web.server import build_application
from tests.web.conftest import URL, Ask, make_ask, run_async

PUBLIC = "https://bots.example.org"


async def _read(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def _fail(request: Request) -> Response:
    raise RuntimeError("a secret")


def make_feature(_: WebContext) -> Feature:
    """Return routes that read the body of a request, and that fail."""
    return Feature([Route("/sign-in/{secret}", _read, methods=["POST"]), Route("/api/fail", _fail)])


def send(
    method: str,
    path: str,
    *,
    url: str = PUBLIC,
    headers: dict[str, str] | None = None,
    content: bytes | AsyncIterator[bytes] = b"",
) -> httpx.Response:
    """Send a request to a server with the routes above."""
    app = build_application(WebContext(url=url), [make_feature])

    async def run() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=url) as client:
            return await client.request(method, path, headers=headers, content=content)

    return run_async(run())


def test_health_and_version(ask: Ask) -> None:
    assert ask("GET", "/health").json() == {"status": "ok"}
    assert ask("GET", "/version").json() == {"version": __version__}


@pytest.mark.parametrize("path", ["/", "/none", "/health"])
def test_every_answer_forbids_inline_scripts_and_frames(ask: Ask, path: str) -> None:
    headers = ask("GET", path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src ")
    assert "script-src 'unsafe-inline'" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "strict-transport-security" not in headers
    assert "max-age" in send("GET", path).headers["strict-transport-security"]  # over TLS


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "{}.evil.example", "", "{}@evil.example", "evil@{}", "evil.example:80@{}"),
        *("{}/evil", "{}?evil", "{}#evil", "{}:", "{}:x", "{}:123456", "[{}]", " {}:1 2", "{},evil"),
    ],
)
@pytest.mark.parametrize("url", [PUBLIC, URL])
def test_other_host_names_are_refused(url: str, host: str) -> None:
    headers = {"Host": host.format(urlsplit(url).hostname)}
    assert send("GET", "/health", url=url, headers=headers).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:9", "[::1]:8000", "LOCALHOST"])
def test_names_of_the_loopback_are_taken(ask: Ask, host: str) -> None:
    assert ask("GET", "/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("url", "headers", "status"),
    [
        (PUBLIC, {}, 403),
        (PUBLIC, {"Origin": PUBLIC}, 200),
        (PUBLIC, {"Origin": "https://evil.example"}, 403),
        (PUBLIC, {"Origin": "null"}, 403),
        (PUBLIC, {"Origin": "http://bots.example.org"}, 403),
        (PUBLIC, {"Origin": PUBLIC, "Sec-Fetch-Site": "cross-site"}, 403),
        (PUBLIC, {"Origin": PUBLIC, "Sec-Fetch-Site": "same-origin"}, 200),
        (PUBLIC, {"Sec-Fetch-Site": "same-site", "Authorization": "Bearer x"}, 403),
        (PUBLIC, {"Authorization": "Bearer x"}, 200),
        (PUBLIC, {"Authorization": "Basic x"}, 403),
        (URL, {"Origin": URL}, 200),  # on loopback, what the request is sent to
        (URL, {"Origin": "http://127.0.0.1:9"}, 403),
        (URL, {"Origin": "https://127.0.0.1:8000"}, 403),
    ],
)
def test_changes_come_from_the_servers_own_pages(url: str, headers: dict[str, str], status: int) -> None:
    assert send("POST", "/sign-in/x", url=url, headers=headers).status_code == status


@pytest.mark.parametrize("length", ["99999999999", "-1", "1e9", "²"])
def test_a_large_body_is_refused_before_it_is_read(length: str) -> None:
    headers = {"Origin": PUBLIC, "Content-Length": length.encode()}
    response = send("POST", "/sign-in/x", headers=headers)  # type: ignore[arg-type]
    assert response.status_code == 413
    assert response.headers["connection"] == "close"


def test_a_large_body_without_a_length_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.requests.MAX_BODY_BYTES", 100)

    async def body() -> AsyncIterator[bytes]:
        for _ in range(11):
            yield bytes(10)

    assert send("POST", "/sign-in/x", headers={"Origin": PUBLIC}, content=body()).status_code == 413


def test_a_slow_body_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.requests.BODY_TIMEOUT_S", 0.01)

    async def body() -> AsyncIterator[bytes]:
        yield b"a"
        await asyncio.sleep(60)

    assert send("POST", "/sign-in/x", headers={"Origin": PUBLIC}, content=body()).status_code == 408


def test_a_client_that_leaves_before_its_body_is_whole_is_no_failure() -> None:
    async def body() -> AsyncIterator[bytes]:
        yield b"a"
        raise ClientDisconnect

    headers = {"Origin": PUBLIC}
    assert send("POST", "/sign-in/x", headers=headers, content=body()).status_code == 400


def test_errors_are_pages_or_json(ask: Ask) -> None:
    page = ask("GET", "/none", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no such page here." in page.text
    assert ask("GET", "/api/none").json() == {"error": "There is no such page here."}


def test_a_failure_says_nothing_of_its_reason() -> None:
    response = send("GET", "/api/fail")
    assert (response.status_code, response.json()) == (
        500,
        {"error": "The server failed. Its log has the reason."},
    )


def test_a_long_path_is_refused() -> None:
    assert send("GET", "/hand-ins/" + "9" * 5000).status_code == 414


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/sign-in/abcdef?x=y", {"Origin": PUBLIC}, 200),
        ("/sign-in/abcdef", {}, 403),
        ("/sign-in/abcdef", {"Host": "another.example.org"}, 421),
        ("/sign-in/abcdef/", {"Origin": PUBLIC}, 307),
    ],
)
def test_each_request_is_logged_without_the_secret_of_its_link(
    caplog: pytest.LogCaptureFixture, path: str, headers: dict[str, str], status: int
) -> None:
    caplog.set_level("INFO", "arena.web.context")
    assert send("POST", path, headers=headers).status_code == status
    [line] = [record.getMessage() for record in caplog.records if record.name == "arena.web.context"]
    entry = msgspec.json.decode(line)
    assert (entry["method"], entry["path"][:9], entry["status"]) == ("POST", "/sign-in/", status)
    assert "abcdef" not in line
    assert entry["bytes"] == 1 or status != 200


# --- rate limits ---


def test_a_key_may_be_used_in_a_burst_and_then_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("arena.web.context.time.monotonic", lambda: now)
    limit = RateLimit(per_minute=60, burst=3)
    assert [limit.take("a") for _ in range(4)] == [0, 0, 0, 1]
    assert limit.take("b") == 0
    now += 0.5
    assert limit.take("a") == pytest.approx(0.5)
    now += 0.5
    assert limit.take("a") == 0
    now += 3600
    assert [limit.take("a") for _ in range(4)] == [0, 0, 0, 1]


def test_people_behind_one_address_have_shares_of_their_own() -> None:
    scope = {"type": "http", "client": ("192.0.2.1", 1234)}
    clients = [name_client(scope, account) for account in ("ann", "ben", None)]
    assert len({*clients}) == 3
    assert clients[2] == address_of(scope)


def test_few_keys_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "MAX_KEYS", 2)
    limit = RateLimit(per_minute=1, burst=1)
    for key in "abc":
        limit.take(key)
    assert limit.wait_s("a") == 0
    assert limit.wait_s("b") > 0


@pytest.mark.parametrize(
    ("client", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8::7", "2001:db8::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::1%eth0"),
        ("", ""),
    ],
)
def test_the_addresses_of_one_client_count_together(client: str, address: str) -> None:
    assert address_of({"client": (client, 5) if client else None}) == address


def test_an_address_cannot_ask_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.server.REQUEST_BURST", 3)
    monkeypatch.setattr("arena.web.server.REQUESTS_PER_MINUTE", 0.001)
    ask = make_ask(build_application(WebContext(url=URL)))
    assert [ask("GET", "/health").status_code for _ in range(4)] == [200, 200, 200, 429]
