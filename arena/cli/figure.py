"""`arena figure`: write one figure of a run, league, track or tuning as a file."""

from pathlib import Path

import click

from arena.cli.options import GameOption, out_file_option
from arena.output.figures.figures import KINDS, Kind, draw_folder_figure
from arena.output.figures.style import (
    FIGURE_FORMATS,
    HEX_COLOR,
    LINE_COLORS,
    STYLES,
    check_figure_format,
    fit_style,
    make_document,
    write_figure,
)


def _parse_colors(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[str, ...]:
    """Return colors separated by commas."""
    colors = tuple(color.strip() for color in text.split(",")) if text else ()
    for color in colors:
        if not HEX_COLOR.fullmatch(color):
            raise click.BadParameter(f"{color!r} is not a color: write it as #175c42.", ctx, param)
    if len(colors) > LINE_COLORS:
        raise click.BadParameter(f"a figure has at most {LINE_COLORS} colors.", ctx, param)
    return colors


@click.command(epilog="Example: arena figure results/quick-001 --style print --out elo.svg")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--kind", type=click.Choice(KINDS), help="Which figure; by default the first that DIR has.")
@out_file_option(f"The file; its ending is the format: {', '.join(FIGURE_FORMATS)}.", required=True)
@click.option("variant", "--game", cls=GameOption, metavar="NAME", help="The game, if DIR has several.")
@click.option("--players", type=click.IntRange(min=1), help="The size of the table, if there are several.")
@click.option(
    "--style",
    type=click.Choice(list(STYLES)),
    default="screen",
    show_default=True,
    help="Colors as in a report, for print (white, lines also told apart by dashes), or dark.",
)
@click.option(
    "--colors",
    metavar="#RRGGBB,…",
    callback=_parse_colors,
    help="Colors of lines in their order; dots have the first.",
)
@click.option("--font", metavar="NAME", help="Font of all text, such as 'Latin Modern Sans'.")
@click.option(
    "--font-size",
    metavar="POINTS",
    type=click.FloatRange(4, 40),
    default=9,
    show_default=True,
    help="Size of all text.",
)
@click.option(
    "--width",
    metavar="MM",
    type=click.FloatRange(20, 1000),
    default=190,
    show_default=True,
    help="Width of the figure in millimetres, such as that of a column; a matrix may be narrower.",
)
@click.option(
    "--dpi", type=click.IntRange(30, 1200), default=300, show_default=True, help="Resolution of a PNG."
)
def figure_command(
    folder: Path,
    kind: Kind | None,
    out: Path,
    variant: str | None,
    players: int | None,
    style: str,
    colors: tuple[str, ...],
    font: str | None,
    font_size: float,
    width: float,
    dpi: int,
) -> None:
    """Write one figure of a run, league, track or tuning as a file.

    ratings: the Elo of each bot with its bar for comparing. history: ratings over blocks, or over the
    updates of a league; the checkpoints of a track; the settings of a tuning. matrix: the score of each bot
    against each. seats: mean placing by position from the dealer. A run and a league have all four, others a
    history.

    The file is complete in itself, for papers and slides. PDF and PNG need the extra `figures`.
    """
    check_figure_format(out)
    chosen = fit_style(STYLES[style], width, font_size).with_colors(colors)
    if font:
        chosen = chosen.with_font(font)
    figure = draw_folder_figure(folder, kind, chosen, variant, players)
    write_figure(make_document(figure, chosen, font_size), out, dpi)
    click.echo(out)
