"""Charts as SVG: dot plots, lines, bars and heat maps."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import median_low
from types import MappingProxyType
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from arena.output.figures.style import LINE_COLORS, PAGE_STYLE, SHADES, FigureStyle

# --- scales ---
# Linear scales and their round tick values.

ROUND_FACTORS = (1, 2, 5, 10)


class Scale(NamedTuple):
    """A linear scale that maps `low` to the coordinate `start` and `high` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the coordinate of a value, rounded to 0.1."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, count: int) -> list[float]:
        """Return about `count` round values on the scale."""
        step = round_step((self.high - self.low) / max(count, 1))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def fit_scale(values: Sequence[float], start: float, end: float, margin: float = 0.04) -> Scale:
    """Return a scale that fits all values, with a margin as a share of their range."""
    low, high = min(values), max(values)
    space = (high - low or 1) * margin
    return Scale(low - space, high + space, start, end)


def round_step(least: float) -> float:
    """Return the smallest value of 1, 2 or 5 times a power of ten that is at least `least`."""
    power = 10 ** math.floor(math.log10(least)) if least > 0 else 1
    return next(step * power for step in ROUND_FACTORS if step * power >= least * (1 - 1e-9))


def powers_of_ten(low: float, high: float) -> list[int]:
    """Return the powers of ten between two values."""
    return [10**n for n in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)]


# --- dots, lines and bars ---
# Each chart opens by itself, and the style sheet of a page may change its colors and fonts.

SVG: Final = "http://www.w3.org/2000/svg"
NARROW_FIGURE_WIDTH: Final = 300
"""The width of figures that have a form of their own for narrow screens."""
MAX_NAME_CHARS: Final = 20
MAX_ROW_NAME_CHARS: Final = 40
"""The length of names in figures that have room for it."""
MAX_TICK_NAME_CHARS: Final = 15
"""The length of names below a curve, so that those side by side do not touch."""
DATE_WIDTH: Final = 110
"""Least width of a date or a name below a history."""
NO_LINKS: Final[Mapping[str, str]] = MappingProxyType({})
NO_MARKS: Final[Mapping[int, str]] = MappingProxyType({})
_ROW_FIGURES: Final = {False: " beside", True: " above"}
"""The style of figures with rows whose names are beside or above them."""


class Interval(NamedTuple):
    """A value and the half width of its interval or bar, None if unknown; `<` or `>` before a bound."""

    value: float
    error: float | None
    bound: str = ""

    @property
    def bounds(self) -> tuple[float, float]:
        """The lower and the upper bound."""
        error = self.error or 0.0
        return self.value - error, self.value + error


class CurvePoint(NamedTuple):
    """A value and the ends of its confidence interval; None for one that is unknown or unbounded."""

    value: float
    low: float | None
    high: float | None


class Series(NamedTuple):
    """A line of a chart; a value is None where there is none yet."""

    name: str
    values: Sequence[float | None]
    last: Interval


class _RowLayout(NamedTuple):
    """Position of a figure's rows: names are beside them, on narrow screens above them."""

    width: float
    left: float
    first: int
    pitch: int
    is_narrow: bool

    def y(self, row: int) -> int:
        return self.first + self.pitch * row

    def name(self, row: int, name: str, href: str = "") -> str:
        """Return the label of a row, which may lead to a page."""
        if self.is_narrow:
            text = f'<text x="0" y="{self.y(row) - 12}">{escape(name)}</text>'
        else:
            text = f'<text x="{self.left:g}" y="{self.y(row) + 4}" text-anchor="end">{escape(name)}</text>'
        return _link_text(text, href)


def _link_text(text: str, href: str, attributes: str = "") -> str:
    """Return a part of a figure as a link, if it leads anywhere."""
    return f'<a href="{escape(href)}"{attributes}>{text}</a>' if href else text


def _row_layouts(names: Collection[str], width: float) -> list[_RowLayout]:
    """Return the layouts of a figure with a row per name, the one for narrow screens last."""
    left = 24 + 7 * max(map(len, names))
    return [
        _RowLayout(width, left, 22, 26, False),
        _RowLayout(NARROW_FIGURE_WIDTH, 4, 28, 38, True),
    ]


def shorten_names(names: Collection[str], limit: int = MAX_NAME_CHARS) -> dict[str, str]:
    """Return names of at most `limit` characters to label a figure, different ones for different names.

    A long name keeps its beginning and its end; names that would read alike, the part where they differ.
    Names that cannot be told apart so are not shortened.
    """
    start, end = limit // 3 + 1, limit - limit // 3 - 2
    short = {name: name if len(name) <= limit else f"{name[:start]}…{name[-end:]}" for name in names}
    for group in _equal_labels(short):
        differing = next(at for at in range(len(max(group))) if len({name[: at + 1] for name in group}) > 1)
        first = max(differing - 3, 0)
        for name in group:
            rest = name[first:]
            short[name] = f"{name[:start]}…{rest if len(rest) <= end else rest[: end - 1] + '…'}"
    for group in _equal_labels(short):
        short.update({name: name for name in group})
    return short


def _equal_labels(short: Mapping[str, str]) -> list[list[str]]:
    """Return the groups of names that have the same label."""
    groups: dict[str, list[str]] = {}
    for name, text in short.items():
        groups.setdefault(text, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def line_chart(
    ends: Sequence[int],
    series: Sequence[Series],
    title: str,
    style: FigureStyle = PAGE_STYLE,
    axis: str = "",
) -> Markup:
    """Return lines over the number of blocks (logarithmic), labeled at their right ends."""
    shown = powers_of_ten(ends[0], ends[-1])
    ticks = [(math.log10(tick), f"{tick:,}") for tick in (shown if len(shown) > 1 else (ends[0], ends[-1]))]
    return _line_chart([math.log10(end) for end in ends], ticks, "blocks", series, title, style, axis)


def history_chart(
    dates: Sequence[str],
    series: Sequence[Series],
    title: str,
    style: FigureStyle = PAGE_STYLE,
    axis: str = "",
    marks: Mapping[int, str] = NO_MARKS,
) -> Markup:
    """Return lines over dates, evenly spaced, labeled at their right ends.

    `marks` are texts at dates, by their place, each at the top of an upright line.
    """
    positions = [float(place) for place in range(len(dates))]
    return _line_chart(positions, _spread_ticks(dates, style.width), "", series, title, style, axis, marks)


def curve_chart(
    points: Mapping[str, CurvePoint], title: str, style: FigureStyle = PAGE_STYLE, axis: str = ""
) -> Markup:
    """Return a line through points in their order, evenly spaced, each with its interval; some are named."""
    height = 320
    across = Scale(0, max(len(points) - 1, 1), 66, style.width - 56)
    down = fit_scale(
        [end for point in points.values() for end in point if end is not None], height - 34, _top(axis)
    )
    names = list(shorten_names(points, MAX_TICK_NAME_CHARS).values())
    places = [(across.at(place), point) for place, point in enumerate(points.values())]
    line = "L".join(f"{x:g} {down.at(point.value):g}" for x, point in places)
    ticks = _spread_ticks(names, style.width)
    parts = [*_axis_label(axis), *_horizontal_rules(down, across), *_ticks_below(ticks, "", across, height)]
    parts.append(f'<path class="course c0" d="M{line}"/>')
    for x, point in places:
        for end in (point.low, point.high):
            if end is not None:
                whisker = f"M{x - 3:g} {down.at(end):g}h6m-3 0V{down.at(point.value):g}"
                parts.append(f'<path class="c0" d="{whisker}"/>')
        parts.append(f'<circle class="f0" cx="{x:g}" cy="{down.at(point.value):g}" r="3"/>')
    return _make_figure(style.width, height, title, parts, style)


def _spread_ticks(names: Sequence[str], width: float) -> list[tuple[float, str]]:
    """Return the positions and texts of as many names as have room, the first and last among them."""
    count = min(len(names), max(int(width // DATE_WIDTH), 2))
    shown = sorted({round(place * (len(names) - 1) / max(count - 1, 1)) for place in range(count)})
    return [(float(place), names[place]) for place in shown]


def _line_chart(
    positions: Sequence[float],
    ticks: Sequence[tuple[float, str]],
    unit: str,
    series: Sequence[Series],
    title: str,
    style: FigureStyle,
    axis: str,
    marks: Mapping[int, str] = NO_MARKS,
) -> Markup:
    height = min(max(300, 17 * min(len(series), 24) + 70), 480)
    values = [value for line in series for value in line.values if value is not None]
    names = shorten_names([line.name for line in series])
    end = style.width - 76 - 7 * max(map(len, names.values()))
    across = Scale(positions[0], positions[-1], 46, end)
    down = fit_scale(
        [*values, *[end for line in series for end in line.last.bounds]], height - 34, _top(axis)
    )
    parts = [*_axis_label(axis), *_horizontal_rules(down, across), *_ticks_below(ticks, unit, across, height)]
    for place, text in marks.items():
        x = across.at(positions[place])
        parts.append(f'<path class="rule" d="M{x:g} {_top(axis):g}V{height - 34:g}"/>')
        parts.append(f'<text x="{x + 3:g}" y="{_top(axis) - 2:g}">{escape(text)}</text>')
    for number, line in reversed(list(enumerate(series))):
        parts.append(_line_path(line, positions, across, down, _color_class(number)))
    parts += _line_labels(series, names, down, across.end, height)
    return _make_figure(style.width, height, title, parts, style)


def dot_plot(
    rows: Mapping[str, Interval],
    middle: float | None,
    title: str,
    min_range: float = 0.0,
    style: FigureStyle = PAGE_STYLE,
    axis: str = "",
    links: Mapping[str, str] = NO_LINKS,
) -> Markup:
    """Return a dot with its interval for each row, and a vertical line at `middle`, also for narrow screens.

    Names in `links` lead to a page.

    The axis reaches at least `min_range` around `middle`, so that small differences look small. A bar far
    wider than the others, see `find_axis_ends`, ends in an arrow at the edge.
    """
    names = shorten_names(rows, MAX_ROW_NAME_CHARS)
    ends = find_axis_ends(list(rows.values())) + (
        [] if middle is None else [middle - min_range / 2, middle + min_range / 2]
    )
    figures = []
    for layout in _row_layouts(names.values(), style.width):
        height = layout.y(len(rows)) + 12
        scale = fit_scale(ends, layout.left + 10, layout.width - 20, 0.1)
        parts = [_vertical_tick(tick, scale, height) for tick in scale.ticks(4 if layout.is_narrow else 6)]
        if middle is not None:
            parts.append(f'<path class="middle" d="M{scale.at(middle):g} 8V{height - 26}"/>')
        for row, (name, bar) in enumerate(rows.items()):
            parts += [layout.name(row, names[name], links.get(name, "")), _dot(bar, scale, layout.y(row))]
        if axis:
            middle_x = (scale.start + scale.end) / 2
            parts.append(
                f'<text x="{middle_x:g}" y="{height + 8}" text-anchor="middle">{escape(axis)}</text>'
            )
        kind = _ROW_FIGURES[layout.is_narrow]
        whole = height + (16 if axis else 0)
        figures.append(_make_figure(layout.width, whole, title, parts, style, kind, has_links=bool(links)))
    return Markup("").join(figures)


def bar_chart(rows: Mapping[str, int], title: str) -> Markup:
    """Return a horizontal bar for each row, labeled with its number, also for narrow screens."""
    names = shorten_names(rows, MAX_ROW_NAME_CHARS)
    figures = []
    for layout in _row_layouts(names.values(), PAGE_STYLE.width):
        start = 0 if layout.is_narrow else layout.left + 8
        scale = Scale(0, max(rows.values()), start, layout.width - 70)
        parts = []
        for row, (name, number) in enumerate(rows.items()):
            y, width = layout.y(row), max(scale.at(number) - start, 1)
            parts += [
                layout.name(row, names[name]),
                f'<rect class="f0" x="{start:g}" y="{y - 7}" width="{width:g}" height="14" rx="2"/>',
                f'<text x="{start + 6 + width:g}" y="{y + 4}">{number:,}</text>',
            ]
        height = layout.y(len(rows)) - layout.pitch // 2
        group = _ROW_FIGURES[layout.is_narrow]
        figures.append(_make_figure(layout.width, height, title, parts, PAGE_STYLE, group))
    return Markup("").join(figures)


def find_axis_ends(bars: Sequence[Interval]) -> list[float]:
    """Return the ends of bars, cut off where one would stretch the axis so far that the others shrink.

    The axis reaches beyond the outermost values by as much as they differ, or by four times the median half
    width if that is more.
    """
    errors = [bar.error for bar in bars if bar.error]
    if not errors:
        return [bar.value for bar in bars]
    low, high = min(bar.value for bar in bars), max(bar.value for bar in bars)
    reach = max(high - low, 4 * median_low(errors))
    return [min(max(end, low - reach), high + reach) for bar in bars for end in bar.bounds]


def _dot(bar: Interval, scale: Scale, y: int) -> str:
    if bar.bound:
        head = "h-18m6-6l-6 6l6 6" if bar.bound == "<" else "h18m-6-6l6 6l-6 6"
        return f'<path class="c0" d="M{scale.at(bar.value):g} {y - 6}v12m0-6{head}"/>'
    low, high = map(scale.at, bar.bounds)
    start, end = max(low, scale.start), min(high, scale.end)
    left = f"M{start:g} {y - 6}v12m0-6" if start == low else f"M{start + 6:g} {y - 6}l-6 6l6 6m-6-6"
    right = "m0-6v12" if end == high else "m-6-6l6 6l-6 6"
    whiskers = f'<path class="c0" d="{left}H{end:g}{right}"/>' if bar.error else ""
    return f'{whiskers}<circle class="f0" cx="{scale.at(bar.value):g}" cy="{y}" r="3"/>'


def _make_figure(
    width: float,
    height: float,
    title: str,
    parts: Iterable[str],
    style: FigureStyle,
    kind: str = "",
    *,
    has_links: bool = False,
) -> Markup:
    role = "group" if has_links else "img"  # what is in an image cannot be reached
    return Markup(
        f'<svg xmlns="{SVG}" class="figure{kind}" viewBox="0 0 {width:g} {height:g}" '
        f'style="--wide:{width:g}px" role="{role}" aria-label="{escape(title)}" {style.root}>'
        f"{style.paint(''.join(parts))}</svg>"
    )


def _top(axis: str) -> int:
    """Return where the vertical axis ends, below its label if there is one."""
    return 32 if axis else 14


def _axis_label(axis: str) -> Iterable[str]:
    """Yield the label of the vertical axis, above it."""
    if axis:
        yield f'<text x="0" y="12">{escape(axis)}</text>'


def _horizontal_rules(down: Scale, across: Scale) -> Iterable[str]:
    for tick in down.ticks(6):
        y = down.at(tick)
        yield f'<path class="rule" d="M{across.start:g} {y:g}H{across.end:g}"/>'
        yield f'<text x="{across.start - 8:g}" y="{y + 4:g}" text-anchor="end">{tick:g}</text>'


def _ticks_below(
    ticks: Sequence[tuple[float, str]], unit: str, across: Scale, height: float
) -> Iterable[str]:
    for position, text in ticks:
        x = across.at(position)
        yield f'<path class="rule" d="M{x:g} {height - 34:g}v5"/>'
        yield f'<text x="{x:g}" y="{height - 16:g}" text-anchor="middle">{escape(text)}</text>'
    if unit:
        yield f'<text x="{across.end + 12:g}" y="{height - 16:g}">{unit}</text>'


def _line_path(line: Series, positions: Sequence[float], across: Scale, down: Scale, color: str) -> str:
    points = [
        f"{across.at(position):g} {down.at(value):g}"
        for position, value in zip(positions, line.values, strict=True)
        if value is not None
    ]
    if not points:
        return ""
    course = f'<path class="course c{color}" d="M{"L".join(points)}"/>'
    if line.last.bound:
        head = "v14m-4-5l4 5l4-5" if line.last.bound == "<" else "v-14m-4 5l4-5l4 5"
        arrow = f"M{across.end - 4:g} {down.at(line.last.value):g}h8m-4 0{head}"
        return f'{course}<path class="whisker course c{color}" d="{arrow}"/>'
    if not line.last.error:
        return course
    low, high = map(down.at, line.last.bounds)
    whiskers = f"M{across.end - 3:g} {low:g}h6m-3 0V{high:g}m-3 0h6"
    return f'{course}<path class="whisker course c{color}" d="{whiskers}"/>'


def _line_labels(
    series: Sequence[Series], names: Mapping[str, str], down: Scale, end: float, height: float
) -> Iterable[str]:
    """Yield the names at the ends of the lines, moved apart where they would overlap."""
    step = 15
    named = sorted(
        enumerate(series[: LINE_COLORS if len(series) > 24 else 24]), key=lambda line: -line[1].last.value
    )
    lowest = height - 36 - step * (len(named) - 1)
    y = 0.0
    for place, (number, line) in enumerate(named):
        y = min(max(down.at(line.last.value) + 4, y + step), lowest + step * place)
        label = f"{escape(names[line.name])} {escape(line.last.bound)}{line.last.value:.0f}"
        yield (
            f'<path class="rule" d="M{end + 5:g} {down.at(line.last.value):g}L{end + 16:g} {y - 4:g}"/>'
            f'<text class="t{_color_class(number)}" x="{end + 20:g}" y="{y:g}">{label}</text>'
        )


def _vertical_tick(tick: float, scale: Scale, height: float) -> str:
    x = scale.at(tick)
    return (
        f'<path class="rule" d="M{x:g} 8V{height - 26:g}"/>'
        f'<text x="{x:g}" y="{height - 8:g}" text-anchor="middle">{tick:.4g}</text>'
    )


def _color_class(number: int) -> str:
    return str(number) if number < LINE_COLORS else "x"


# --- heat maps ---

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
    labels = [_link_text(text, href) for text, href in zip(texts, hrefs, strict=True)]
    copies = [_link_text(text, href, ' tabindex="-1"') for text, href in zip(texts, hrefs, strict=True)]
    headings = _grid_column_labels(grid, left, top, cell, upright)
    main = _make_figure(
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
