"""A web server for the site of a league: read-only, for this machine alone."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from threading import BoundedSemaphore
from typing import Any, Final

from arena.errors import StoreError

HOST: Final = "127.0.0.1"
TEXT_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline' data:; connect-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
ALLOWED_HOSTS: Final = ("127.0.0.1", "localhost")
CLIENT_TIMEOUT_S: Final = 10.0
"""Seconds in which a client has to send or take something."""
MAX_CONNECTIONS: Final = 32
"""Simultaneous connections, each with a thread and two descriptors; more wait in the backlog."""
BACKLOG: Final = 128
"""Connections that wait to be accepted."""


def make_server(site: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of the files in a folder; port 0 takes any that is free.

    Raises:
        StoreError: If the folder does not exist or the port is taken.
    """
    if not site.is_dir():
        raise StoreError(f"there is no {site}: `arena league update` writes it")
    try:
        return _SiteServer((HOST, port), partial(_SiteHandler, directory=str(site)))
    except OSError as error:
        reason = f"port {port} cannot be used: {error.strerror}; choose another (--port)"
        raise StoreError(reason) from error


class _SiteServer(ThreadingHTTPServer):
    """A server with a bound on its connections."""

    request_queue_size = BACKLOG

    def __init__(self, *args: Any) -> None:
        self._free = BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a request in a thread of its own, once one of the connections is free."""
        self._free.acquire()
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread was started
            self._free.release()
            raise

    def process_request_thread(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """Answer a request, and free its connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()


class _SiteHandler(SimpleHTTPRequestHandler):
    """Sends files of a folder to browsers of this machine; links that lead out of it are not followed."""

    timeout = CLIENT_TIMEOUT_S

    def send_head(self) -> Any:
        """Refuse requests by another host's name, and files outside of the folder."""
        host = (self.headers.get("Host") or "").partition(":")[0].lower()
        root, found = Path(self.directory).resolve(), self.translate_path(self.path)
        is_inside = "\0" not in found and Path(found).resolve().is_relative_to(root)
        if host not in ALLOWED_HOSTS or not is_inside:
            self.send_error(404)
            return None
        return super().send_head()

    def list_directory(self, path: Any) -> None:
        """Refuse to list a folder without an index."""
        self.send_error(404)

    def end_headers(self) -> None:
        for name, value in TEXT_HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing: requests are of no interest."""
