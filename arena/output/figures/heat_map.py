"""Heat maps as SVG."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from arena.output.figures.charts import NO_LINKS, SVG, link_text, make_figure, shorten_names
from arena.output.figures.figure_style import PAGE_STYLE, SHADES, FigureStyle

MAX_LABELED_COLUMNS: Final = 12
"""Heat maps with more columns have no numbers in their cells."""


class Grid(NamedTuple):
    """The cells of a heat map: a shade from -1 to 1 (None: no cell) and a label each."""

    rows: Sequence[str]
    columns: Sequence[str]
    shades: Sequence[Sequence[float | None]]
    words: Sequence[Sequence[str]]


def heat_map(
    grid: Grid,
    title: str,
    style: FigureStyle = PAGE_STYLE,
    *,
    upright: bool = False,
    links: Mapping[str, str] = NO_LINKS,
) -> Markup:
    """Return a heat map; columns are numbered, or labeled with upright names if `upright`.

    Names of rows in `links` lead to a page.
    On narrow screens the names of the rows stay in view when the figure scrolls.
    """
    columns, names = len(grid.columns), shorten_names(grid.columns)
    left = 24 + 7 * max(len(label) for label in _row_labels(grid, upright))
    top = 18 + (7.5 * max(map(len, names.values())) if upright else 8)
    cell = min(46, max(18, int(style.width - left - 8) // max(columns, 1)))
    tall = min(cell, 30)
    width, height = max(left + cell * columns + 8, 280), top + tall * len(grid.rows) + 8
    by_shade: dict[int, list[str]] = {}
    words = []
    for row, shades in enumerate(grid.shades):
        for column, shade in enumerate(shades):
            if shade is None:
                continue
            x, y = left + column * cell, top + row * tall
            by_shade.setdefault(round(shade * SHADES), []).append(f"M{x} {y}h{cell}v{tall}h-{cell}z")
            if columns <= MAX_LABELED_COLUMNS:
                text = escape(grid.words[row][column])
                words.append(f'<text class="in" x="{x + cell / 2:g}" y="{y + tall / 2 + 4:g}">{text}</text>')
    cells = [
        f'<path class="{_shade_class(shade)}" d="{"".join(by_shade[shade])}"/>' for shade in sorted(by_shade)
    ]
    hrefs = [links.get(name, "") for name in grid.rows]
    texts = list(_grid_row_labels(grid, left, top, tall, upright))
    labels = [link_text(text, href) for text, href in zip(texts, hrefs, strict=True)]
    copies = [link_text(text, href, ' tabindex="-1"') for text, href in zip(texts, hrefs, strict=True)]
    headings = _grid_column_labels(grid, left, top, cell, upright)
    main = make_figure(
        width, height, title, [*cells, *words, *labels, *headings], style, has_links=bool(links)
    )
    return Markup(
        f'<div class="named" style="--wide:{width:g}px">{main}<svg xmlns="{SVG}" class="names" '
        f'aria-hidden="true" {style.root} viewBox="0 0 {left - 4:g} {height:g}" '
        f'style="width:{100 * (left - 4) / width:g}%">'
        f"{''.join(copies)}</svg></div>"
    )


def _grid_row_labels(grid: Grid, left: float, top: float, tall: float, upright: bool) -> Iterable[str]:
    for row, label in enumerate(_row_labels(grid, upright)):
        y = top + row * tall + tall / 2 + 4
        yield f'<text x="{left - 8:g}" y="{y:g}" text-anchor="end">{escape(label)}</text>'


def _grid_column_labels(grid: Grid, left: float, top: float, cell: float, upright: bool) -> Iterable[str]:
    names = shorten_names(grid.columns)
    for column, name in enumerate(grid.columns):
        x = left + column * cell + cell / 2
        if upright:
            where = f'transform="translate({x + 4:g} {top - 6:g}) rotate(-90)"'
            yield f"<text {where}>{escape(names[name])}</text>"
        else:
            yield f'<text x="{x:g}" y="{top - 6:g}" text-anchor="middle">{column + 1}</text>'


def _row_labels(grid: Grid, upright: bool) -> list[str]:
    """Return the names of the rows, with the numbers of the columns unless those have names."""
    names = shorten_names(grid.rows)
    return [names[name] if upright else f"{names[name]} {row}" for row, name in enumerate(grid.rows, 1)]


def _shade_class(step: int) -> str:
    return f"h{step}" if step >= 0 else f"hm{-step}"
