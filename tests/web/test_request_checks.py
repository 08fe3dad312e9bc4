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
from arena.web.application import build_application
from arena.web.context import Feature, WebContext
from tests.web.conftest import URL, Ask, run_async

PUBLIC = "https://bots.example.org"


async def _read(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def _fail(request: Request) -> Response:
    raise RuntimeError("a secret")


def make_feature(context: WebContext) -> Feature:
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


def test_over_tls_browsers_are_asked_to_stay_there() -> None:
    assert "max-age" in send("GET", "/health").headers["strict-transport-security"]


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
    ("headers", "status"),
    [
        ({}, 403),
        ({"Origin": PUBLIC}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://bots.example.org"}, 403),
        ({"Origin": PUBLIC, "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": PUBLIC, "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "same-site", "Authorization": "Bearer x"}, 403),
        ({"Authorization": "Bearer x"}, 200),
        ({"Authorization": "Basic x"}, 403),
    ],
)
def test_changes_come_from_the_servers_own_pages(headers: dict[str, str], status: int) -> None:
    assert send("POST", "/sign-in/x", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"), [(URL, 200), ("http://127.0.0.1:9", 403), ("https://127.0.0.1:8000", 403)]
)
def test_on_loopback_the_origin_is_what_the_request_is_sent_to(origin: str, status: int) -> None:
    assert send("POST", "/sign-in/x", url=URL, headers={"Origin": origin}).status_code == status


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
    app = build_application(WebContext(url=PUBLIC), [make_feature])
    transport = httpx.ASGITransport(app)

    async def body() -> AsyncIterator[bytes]:
        yield b"a"
        raise ClientDisconnect

    async def run() -> int:
        async with httpx.AsyncClient(transport=transport, base_url=PUBLIC) as client:
            request = client.post("/sign-in/x", headers={"Origin": PUBLIC}, content=body())
            return (await request).status_code

    assert run_async(run()) == 400


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


def test_each_request_is_logged_without_its_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "arena.web.context")
    send("POST", "/sign-in/abcdef?x=y", headers={"Origin": PUBLIC})
    [record] = [record for record in caplog.records if record.name == "arena.web.context"]
    entry = msgspec.json.decode(record.getMessage())
    assert {key: entry[key] for key in ("method", "path", "status")} == {
        "method": "POST",
        "path": "/sign-in/…",
        "status": 200,
    }
    assert entry["bytes"] == 1


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/sign-in/abcdef", {}, 403),
        ("/sign-in/abcdef", {"Host": "another.example.org"}, 421),
        ("/sign-in/abcdef/", {"Origin": PUBLIC}, 307),
    ],
)
def test_a_refused_request_is_logged_without_the_secret_of_its_link(
    caplog: pytest.LogCaptureFixture, path: str, headers: dict[str, str], status: int
) -> None:
    caplog.set_level("INFO", "arena.web.context")
    assert send("POST", path, headers=headers).status_code == status
    [record] = [record for record in caplog.records if record.name == "arena.web.context"]
    assert "abcdef" not in record.getMessage()
