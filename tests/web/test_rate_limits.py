"""Limits on how often something may be done."""

import pytest

from arena.web import context
from arena.web.application import build_application
from arena.web.context import RateLimit, WebContext, address_of, name_client
from tests.web.conftest import URL, make_ask


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
    monkeypatch.setattr("arena.web.application.REQUEST_BURST", 3)
    monkeypatch.setattr("arena.web.application.REQUESTS_PER_MINUTE", 0.001)
    ask = make_ask(build_application(WebContext(url=URL)))
    assert [ask("GET", "/health").status_code for _ in range(4)] == [200, 200, 200, 429]
