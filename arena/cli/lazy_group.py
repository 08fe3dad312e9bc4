"""A group of commands, each imported when it is called, so that help starts fast."""

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any

import click

from arena.errors import suggest_nearest


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage now, and keep what is made out of later collections: modules are never garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


class LazyGroup(click.Group):
    """Commands by name and summary, in that order; `targets` are "module:attribute", by name."""

    def __init__(self, targets: Mapping[str, str], summaries: Mapping[str, str], **attributes: Any) -> None:
        super().__init__(invoke_without_command=True, **attributes)
        self.targets = targets
        self.summaries = summaries

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.summaries:
            return None
        module, _, attribute = self.targets[cmd_name].partition(":")
        with uncollected() if module not in sys.modules else nullcontext():
            command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.summaries:
            ctx.fail(f"there is no command {args[0]!r}; {suggest_nearest(args[0], self.summaries)}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))
