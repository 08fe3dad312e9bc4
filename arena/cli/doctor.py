"""The command `arena doctor`."""

import click

from arena.cli.options import json_option, print_json
from arena.output.texts.run import findings_text
from arena.tournament.engine.machine import examine_machine
from arena.tournament.files import RESULTS


@click.command(epilog="Example: arena doctor")
@json_option
@click.pass_context
def doctor_command(ctx: click.Context, as_json: bool) -> None:
    """Check that this machine can run tournaments.

    Checks Python and packages, isolation levels, cores, load, clock, disk and memory. Each is ok, could be
    better (warn) or must be fixed (bad), with advice. Exits 1 if a check is bad.
    """
    findings = list(examine_machine(RESULTS))
    if as_json:
        print_json(findings)
    else:
        click.echo(findings_text(findings))
    ctx.exit(1 if any(finding.state == "bad" for finding in findings) else 0)
