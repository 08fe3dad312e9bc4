"""The address of a cluster's scheduler, and the certificate to connect with."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from arena.errors import ConfigError, suggest_extra

if TYPE_CHECKING:
    from distributed import Security


LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


class Cluster(msgspec.Struct, frozen=True):
    """A scheduler's address, and the files for TLS: all three, or none."""

    address: str
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    @classmethod
    def parse(
        cls, address: str, ca: Path | None = None, cert: Path | None = None, key: Path | None = None
    ) -> Cluster:
        """Check and return the cluster at an address."""
        scheme = _scheme(address)
        given = [file is not None for file in (ca, cert, key)]
        if scheme == "tcp" and any(given):
            raise ConfigError(f"{address} is not encrypted, so no certificate is used: write tls://…")
        if scheme == "tcp" and urlsplit(address).hostname not in LOCAL_HOSTS:
            raise ConfigError(
                f"{address} is not encrypted, and whoever reaches it could run code on the workers: write tls://…"
            )
        if any(given) and not all(given):
            raise ConfigError("--tls-ca, --tls-cert and --tls-key go together: give all three, or none")
        if find_spec("distributed") is None:
            raise ConfigError(f"--cluster needs dask, which is not installed: {suggest_extra('cluster')}")
        cluster = cls(address, ca, cert, key)
        cluster.security()  # fails now, rather than when a run has begun
        return cluster

    def security(self) -> Security:
        """Return dask's connection settings, those of dask's configuration if there are no files."""
        from distributed import Security

        if _scheme(self.address) == "tcp":
            return Security(require_encryption=False)
        security = Security(require_encryption=True)
        if self.ca:
            files = {"tls_ca_file": self.ca, "tls_client_cert": self.cert, "tls_client_key": self.key}
            security = Security(require_encryption=True, **{name: str(file) for name, file in files.items()})
        try:
            context = security.get_connection_args("client")["ssl_context"]
        except OSError as error:  # ssl.SSLError is one
            raise ConfigError(f"the certificate for {self.address} cannot be used: {error}") from error
        if context is None:
            raise ConfigError(
                f"{self.address} needs a certificate: give --tls-ca, --tls-cert and --tls-key, or set "
                "dask's distributed.comm.tls"
            )
        return security


def _scheme(address: str) -> str:
    """Return `tcp` or `tls`."""
    try:
        parts = urlsplit(address)
        whole = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
    except ValueError:
        whole = None
    if not whole or parts.path:
        raise ConfigError(
            f"{address!r} is not a scheduler's address: write tcp://HOST:8786 or tls://HOST:8786"
        )
    return parts.scheme
