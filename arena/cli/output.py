"""What commands print for programs."""

from typing import Any

import click
import msgspec


def print_json(value: Any) -> None:
    """Prints a value as one line of JSON."""
    click.echo(msgspec.json.encode(value))
