"""Figures of the page as SVG; fonts and colors are in the style sheet."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from arena.report.page.scales import Scale, fit_scale, powers_of_ten

FIGURE_WIDTH: Final = 720
LINE_COLORS: Final = 8
"""Lines with a color of their own; the others are grey."""
SHADES: Final = 5
"""Color steps from the middle to each end of a heat map."""
MAX_NAME_CHARS: Final = 20
MAX_LABELED_COLUMNS: Final = 12
"""Heat maps with more columns have no numbers in their cells."""


class Interval(NamedTuple):
    """A value and the half width of its confidence interval; None if it is unknown."""

    value: float
    error: float | None

    @property
    def bounds(self) -> tuple[float, float]:
        """The lower and the upper bound."""
        error = self.error or 0.0
        return self.value - error, self.value + error


class Series(NamedTuple):
    """A line of a chart; a value is None where there is none yet."""

    name: str
    values: Sequence[float | None]
    last: Interval


class Grid(NamedTuple):
    """The cells of a heat map: a shade from -1 to 1 (None: no cell) and a label each."""

    rows: Sequence[str]
    columns: Sequence[str]
    shades: Sequence[Sequence[float | None]]
    words: Sequence[Sequence[str]]


def shorten_name(name: str) -> str:
    """Return a name that fits beside a figure: of a long one its beginning and its end."""
    return name if len(name) <= MAX_NAME_CHARS else f"{name[:7]}…{name[8 - MAX_NAME_CHARS :]}"


def line_chart(ends: Sequence[int], series: Sequence[Series], title: str) -> Markup:
    """Return lines over the number of blocks (logarithmic), labeled at their right ends."""
    height = min(max(300, 17 * min(len(series), 24) + 70), 480)
    values = [value for line in series for value in line.values if value is not None]
    longest = max(len(shorten_name(line.name)) for line in series)
    across = Scale(math.log10(ends[0]), math.log10(ends[-1]), 46, FIGURE_WIDTH - 76 - 7 * longest)
    down = fit_scale([*values, *[end for line in series for end in line.last.bounds]], height - 34, 14)
    parts = [*_horizontal_rules(down, across), *_block_ticks(ends, across, height)]
    for number, line in reversed(list(enumerate(series))):
        parts.append(_line_path(line, ends, across, down, _color_class(number)))
    parts += _line_labels(series, down, across.end, height)
    return _figure(FIGURE_WIDTH, height, title, parts)


def heat_map(grid: Grid, title: str, *, upright: bool = False) -> Markup:
    """Return a heat map; columns are numbered, or labeled with upright names if `upright`."""
    columns = len(grid.columns)
    left = 24 + 7 * max(len(label) for label in _row_labels(grid, upright))
    top = 18 + (7.5 * max(len(shorten_name(name)) for name in grid.columns) if upright else 8)
    cell = min(46, max(18, (FIGURE_WIDTH - left - 8) // max(columns, 1)))
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
    return _figure(
        width, height, title, [*cells, *words, *_grid_labels(grid, left, top, cell, tall, upright)]
    )


def dot_plot(
    rows: Mapping[str, Interval], middle: float | None, title: str, min_range: float = 0.0
) -> Markup:
    """Return a dot with its interval for each row, and a vertical line at `middle`.

    The axis reaches at least `min_range` around `middle`, so that small differences look small.
    """
    height = 26 * len(rows) + 34
    left = 24 + 7 * max(len(shorten_name(name)) for name in rows)
    ends = [end for bar in rows.values() for end in bar.bounds] + (
        [] if middle is None else [middle - min_range / 2, middle + min_range / 2]
    )
    scale = fit_scale(ends, left + 10, FIGURE_WIDTH - 20, 0.1)
    parts = [_vertical_tick(tick, scale, height) for tick in scale.ticks(6)]
    if middle is not None:
        parts.append(f'<path class="middle" d="M{scale.at(middle):g} 8V{height - 26}"/>')
    for row, (name, bar) in enumerate(rows.items()):
        y = 22 + 26 * row
        low, high = map(scale.at, bar.bounds)
        whiskers = f'<path class="c0" d="M{low:g} {y - 6}v12m0-6H{high:g}m0-6v12"/>' if bar.error else ""
        parts.append(
            f'<text x="{left}" y="{y + 4}" text-anchor="end">{escape(shorten_name(name))}</text>{whiskers}'
            f'<circle class="f0" cx="{scale.at(bar.value):g}" cy="{y}" r="3"/>'
        )
    return _figure(FIGURE_WIDTH, height, title, parts)


def bar_chart(rows: Mapping[str, int], title: str) -> Markup:
    """Return a horizontal bar for each row, labeled with its number."""
    height = 24 * len(rows) + 12
    left = 24 + 7 * max(len(shorten_name(name)) for name in rows)
    scale = Scale(0, max(rows.values()), left + 8, FIGURE_WIDTH - 70)
    parts = []
    for row, (name, number) in enumerate(rows.items()):
        y = 18 + 24 * row
        width = max(scale.at(number) - left - 8, 1)
        parts.append(
            f'<text x="{left}" y="{y + 4}" text-anchor="end">{escape(shorten_name(name))}</text>'
            f'<rect class="f0" x="{left + 8}" y="{y - 7}" width="{width:g}" height="14" rx="2"/>'
            f'<text x="{left + 14 + width:g}" y="{y + 4}">{number:,}</text>'
        )
    return _figure(FIGURE_WIDTH, height, title, parts)


def _figure(width: float, height: float, title: str, parts: Iterable[str]) -> Markup:
    return Markup(
        f'<svg class="figure" viewBox="0 0 {width:g} {height:g}" style="--wide:{width:g}px" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def _horizontal_rules(down: Scale, across: Scale) -> Iterable[str]:
    for tick in down.ticks(6):
        y = down.at(tick)
        yield f'<path class="rule" d="M{across.start:g} {y:g}H{across.end:g}"/>'
        yield f'<text x="{across.start - 8:g}" y="{y + 4:g}" text-anchor="end">{tick:g}</text>'


def _block_ticks(ends: Sequence[int], across: Scale, height: float) -> Iterable[str]:
    shown = powers_of_ten(ends[0], ends[-1])
    for blocks in shown if len(shown) > 1 else [ends[0], ends[-1]]:
        x = across.at(math.log10(blocks))
        yield f'<path class="rule" d="M{x:g} {height - 34:g}v5"/>'
        yield f'<text x="{x:g}" y="{height - 16:g}" text-anchor="middle">{blocks:,}</text>'
    yield f'<text x="{across.end + 12:g}" y="{height - 16:g}">blocks</text>'


def _line_path(line: Series, ends: Sequence[int], across: Scale, down: Scale, color: str) -> str:
    points = [
        f"{across.at(math.log10(end)):g} {down.at(value):g}"
        for end, value in zip(ends, line.values, strict=True)
        if value is not None
    ]
    if not points:
        return ""
    low, high = map(down.at, line.last.bounds)
    whiskers = f"M{across.end - 3:g} {low:g}h6m-3 0V{high:g}m-3 0h6" if line.last.error else ""
    return f'<path class="course c{color}" d="M{"L".join(points)}{whiskers}"/>'


def _line_labels(series: Sequence[Series], down: Scale, end: float, height: float) -> Iterable[str]:
    """Yield the names at the ends of the lines, moved apart where they would overlap."""
    step = 15
    named = sorted(
        enumerate(series[: LINE_COLORS if len(series) > 24 else 24]), key=lambda one: -one[1].last.value
    )
    lowest = height - 36 - step * (len(named) - 1)
    y = 0.0
    for place, (number, line) in enumerate(named):
        y = min(max(down.at(line.last.value) + 4, y + step), lowest + step * place)
        label = f"{escape(shorten_name(line.name))} {line.last.value:.0f}"
        yield (
            f'<path class="rule" d="M{end + 5:g} {down.at(line.last.value):g}L{end + 16:g} {y - 4:g}"/>'
            f'<text class="t{_color_class(number)}" x="{end + 20:g}" y="{y:g}">{label}</text>'
        )


def _grid_labels(
    grid: Grid, left: float, top: float, cell: float, tall: float, upright: bool
) -> Iterable[str]:
    for row, label in enumerate(_row_labels(grid, upright)):
        y = top + row * tall + tall / 2 + 4
        yield f'<text x="{left - 8:g}" y="{y:g}" text-anchor="end">{escape(label)}</text>'
    for column, name in enumerate(grid.columns):
        x = left + column * cell + cell / 2
        if upright:
            where = f'transform="translate({x + 4:g} {top - 6:g}) rotate(-90)"'
            yield f"<text {where}>{escape(shorten_name(name))}</text>"
        else:
            yield f'<text x="{x:g}" y="{top - 6:g}" text-anchor="middle">{column + 1}</text>'


def _row_labels(grid: Grid, upright: bool) -> list[str]:
    """Return the names of the rows, with the numbers of the columns unless those have names."""
    return [
        shorten_name(name) if upright else f"{shorten_name(name)} {row}"
        for row, name in enumerate(grid.rows, 1)
    ]


def _vertical_tick(tick: float, scale: Scale, height: float) -> str:
    x = scale.at(tick)
    return (
        f'<path class="rule" d="M{x:g} 8V{height - 26:g}"/>'
        f'<text x="{x:g}" y="{height - 8:g}" text-anchor="middle">{tick:.4g}</text>'
    )


def _color_class(number: int) -> str:
    return str(number) if number < LINE_COLORS else "x"


def _shade_class(step: int) -> str:
    return f"h{step}" if step >= 0 else f"hm{-step}"
