"""A client that plays over HTTP, in this process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal
from starlette.applications import Starlette

from arena.interactive.table_form import BotChoices
from arena.web.context import WebContext
from arena.web.play import PlayPages, Tables
from arena.web.server import build_application

URL = "http://127.0.0.1:8000"
Json = dict[str, Any]


class Client:
    """A browser without scripts: it keeps cookies and names its origin."""

    def __init__(self, portal: BlockingPortal, app: Any, url: str = URL) -> None:
        self._portal = portal
        transport = httpx.ASGITransport(app)
        self._client = httpx.AsyncClient(transport=transport, base_url=url, headers={"origin": url})

    def get(self, path: str, **options: Any) -> httpx.Response:
        """Send a GET request."""
        return self._portal.call(partial(self._client.get, path, **options))

    def post(self, path: str, **options: Any) -> httpx.Response:
        """Send a POST request."""
        return self._portal.call(partial(self._client.post, path, **options))


def make_pages(owner: str | None = None, level: str = "auto") -> PlayPages:
    """Return the pages of play; built-in bots play in this process unless another level is given."""
    return PlayPages(False, Tables(), BotChoices(None, level), owner)


@contextmanager
def serving(pages: PlayPages) -> Iterator[Callable[[], Client]]:
    """Run a server of these pages in a thread; yield what makes a client without cookies."""
    feature = pages.feature()
    assert feature.lifespan is not None
    app = build_application(WebContext(url=URL), [lambda context: feature])
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(feature.lifespan()):
        yield lambda: Client(portal, app)


@contextmanager
def serving_app(app: Starlette) -> Iterator[Client]:
    """Run a server in a thread, with all that goes on beside its requests; yield a client."""
    lifespan = app.router.lifespan_context(app)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(lifespan):
        yield Client(portal, app)


def sit_down(client: Client, **fields: str) -> str:
    """Send the form and return the path of the table."""
    values = {"variant": "lives", "players": "3", "rival": "nobody", "seed": "any text", **fields}
    response = client.post("/play", data=values)
    assert response.status_code == 303, response.text
    return str(response.headers["location"])


def get_state(client: Client, table: str, after: int = 0) -> Json:
    """Return the state after a step."""
    response = client.get(f"{table}/state", params={"after": after})
    assert response.status_code == 200, response.text
    state: Json = response.json()
    return state


def answer(client: Client, table: str, kind: str, step: int, action: str = "") -> Json:
    """Send an answer that is accepted, and return the next state."""
    response = client.post(f"{table}/answer", json={"kind": kind, "step": step, "action": action})
    assert response.status_code == 200, response.text
    state: Json = response.json()
    return state


def play_to_end(client: Client, table: str, choose: Callable[[Json], str]) -> Json:
    """Play the match and return its last state."""
    state = get_state(client, table)
    while state["phase"] != "match-over":
        if state["phase"] == "decision":
            state = answer(client, table, "act", state["step"], choose(state))
        elif state["phase"] == "deal-over":
            state = answer(client, table, "proceed", state["step"])
        else:
            assert state["phase"] == "thinking", state
            state = get_state(client, table, state["step"] - 1)
    return state
