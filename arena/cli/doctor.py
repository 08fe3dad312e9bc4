"""`arena doctor`: whether this machine is fit."""

import click

from arena.cli.options import json_option, print_json
from arena.cli.run import RESULTS
from arena.report.machine_text import findings_text
from arena.tournament.machine.doctor import examine_machine


@click.command(epilog="Example: arena doctor")
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Check that this machine can run tournaments.

    Python and packages, where bots can live, cores, load, clock, disk and memory: each is ok, could be better
    (warn) or has to be mended (bad), with what to do. Exits 1 if something that is needed is bad.
    """
    findings = list(examine_machine(RESULTS))
    if as_json:
        print_json(findings)
    else:
        click.echo(findings_text(findings))
    ctx.exit(1 if any(one.state == "bad" for one in findings) else 0)
