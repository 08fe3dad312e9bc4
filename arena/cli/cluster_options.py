"""The options that say which cluster plays a run."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from arena.tournament.cluster.connection import Cluster

OF_THIS_MACHINE = ("jobs", "start")


def cluster_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of a cluster, as `cluster`: None without an address."""

    @click.option(
        "--cluster", "address", metavar="ADDRESS", help="Play on dask's workers at tcp:// or tls://…"
    )
    @_tls_option("--tls-ca", "Who signs the cluster's certificates.")
    @_tls_option("--tls-cert", "Our certificate for the cluster.")
    @_tls_option("--tls-key", "The key of our certificate.")
    @wraps(command)
    def joined(
        address: str | None, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None, **rest: Any
    ) -> None:
        command(cluster=_cluster(address, tls_ca, tls_cert, tls_key), **rest)

    return joined


def _tls_option(name: str, purpose: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    kind = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.option(name, metavar="FILE", type=kind, help=purpose)


def _cluster(address: str | None, *tls: Path | None) -> Cluster | None:
    """The cluster that the options speak of; refuses options that would do nothing."""
    if address is None:
        if any(tls):
            raise click.UsageError("--tls-ca, --tls-cert and --tls-key go with --cluster tls://…")
        return None
    given = click.get_current_context().get_parameter_source
    for name in OF_THIS_MACHINE:
        if given(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is about this machine's workers: leave it out with --cluster")
    return Cluster.parse(address, *tls)
