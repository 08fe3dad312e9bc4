"""The style of figures, and the files they are written to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup, escape

from arena.errors import ConfigError, import_optional
from arena.tournament.files import replace_file

# --- colors and fonts ---
# Colors, fonts and widths are SVG attributes, so that a figure can be opened by itself. The style sheet of a
# page overrides them, as for its dark theme.

SANS: Final = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"
FONT_SIZE: Final = 12
"""Size of the text in a figure, in its own units."""
LINE_COLORS: Final = 8
"""Lines with a color of their own; the others are grey."""
SHADES: Final = 5
"""Color steps from the middle to each end of a heat map."""
WEAKEST_SHADE: Final = 0.14
"""Share of the end's color in the step of a heat map next to the middle."""
HEX_COLOR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_CLASSED: Final = re.compile(r'(<\w+ class="([a-z0-9 ]+)"[^<>]*?)(/?>)')


@dataclass(frozen=True, kw_only=True)
class FigureStyle:
    """The look of a figure.

    Attributes:
        ink: Color of text.
        muted: Color of reference lines and of labels without a color of their own.
        rule: Color of grid lines.
        surface: Color of the background.
        lines: Colors of lines in their order; dots and bars have the first.
        other: Color of further lines.
        middle, high, low: colors of a heat map at 0, 1 and -1.
        strongest: Shares of `high` and of `low` in the last step of a heat map.
        dashes: Patterns of the lines; "" for a solid one.
        font: A CSS list of font families.
        width: Width of the figure in units of which the text is 12 high.
    """

    ink: str
    muted: str
    rule: str
    surface: str
    lines: tuple[str, ...]
    other: str
    middle: str
    high: str
    low: str
    strongest: tuple[float, float]
    dashes: tuple[str, ...] = ("",)
    font: str = SANS
    width: float = 720

    def paint(self, markup: str) -> str:
        """Return the elements of a figure with the attributes that their classes stand for."""

        def add_attributes(match: re.Match[str]) -> str:
            attributes = self._attributes(match[2].split())
            return "".join(
                [match[1], *(f' {name}="{value}"' for name, value in attributes.items()), match[3]]
            )

        return _CLASSED.sub(add_attributes, markup)

    @property
    def root(self) -> str:
        """Attributes of the outermost element, which the others inherit."""
        return f'fill="{self.ink}" font-family="{escape(self.font)}" font-size="{FONT_SIZE}"'

    def with_colors(self, colors: tuple[str, ...]) -> "FigureStyle":
        """Return the style with these colors of lines in place of the first ones."""
        return replace(self, lines=(*colors, *self.lines[len(colors) :])[: len(self.lines)])

    def with_font(self, font: str) -> "FigureStyle":
        """Return the style with a font in front of the present ones."""
        return replace(self, font=f"{font!r}, {self.font}")

    def with_width(self, width: float) -> "FigureStyle":
        """Return the style for figures of another width."""
        return replace(self, width=width)

    def _attributes(self, classes: list[str]) -> Mapping[str, str | float]:
        """Return the attributes of an element with classes; the last class decides its color."""
        kind = classes[-1]
        match kind[0], kind[1:]:
            case _, "ule":
                return {"fill": "none", "stroke": self.rule}
            case "m", "iddle":
                return {"fill": "none", "stroke": self.muted, "stroke-dasharray": "3 4"}
            case "i", "n":
                return {"text-anchor": "middle"}
            case "f", number:
                return {"fill": self._color(number)}
            case "t", number:
                return {"fill": self.muted if number == "x" else self._color(number)}
            case "c", number:
                return self._line(number, classes)
            case "h", step:
                sign, size = (-1, step[1:]) if step.startswith("m") else (1, step)
                return {"fill": self.shade(sign * int(size)), "stroke": self.surface, "stroke-width": 1.5}
        return {}

    def _line(self, number: str, classes: list[str]) -> Mapping[str, str | float]:
        line: dict[str, str | float] = {"fill": "none", "stroke": self._color(number)}
        if "course" in classes:
            line |= {"stroke-width": 1 if number == "x" else 2, "stroke-linejoin": "round"}
            dash = "" if number == "x" else self.dashes[int(number) % len(self.dashes)]
            line |= {"stroke-dasharray": dash} if dash and "whisker" not in classes else {}
        return line

    def _color(self, number: str) -> str:
        return self.other if number == "x" else self.lines[int(number)]

    def shade(self, step: int) -> str:
        """Return the color of a step of a heat map, from -SHADES to SHADES."""
        if not step:
            return self.middle
        end, strongest = (self.high, self.strongest[0]) if step > 0 else (self.low, self.strongest[1])
        share = WEAKEST_SHADE + (strongest - WEAKEST_SHADE) * (abs(step) - 1) / (SHADES - 1)
        return _mix(end, self.surface, share)


def _mix(color: str, other: str, share: float) -> str:
    """Return the color between two, `share` being that of the first."""
    parts = [
        round(share * int(color[at : at + 2], 16) + (1 - share) * int(other[at : at + 2], 16))
        for at in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)


PAGE_STYLE: Final = FigureStyle(
    ink="#1d2126",
    muted="#5b5e64",
    rule="#e3ddd0",
    surface="#fffdf9",
    lines=("#175c42", "#9a3b26", "#28588f", "#7a5b00", "#6d3f8c", "#0f6b78", "#a02c63", "#4d5560"),
    other="#8b8a83",
    middle="#f1ede3",
    high="#175c42",
    low="#b4672a",
    strongest=(0.58, 0.65),
)
BESIDE_TABLE_STYLE: Final = replace(PAGE_STYLE, width=480)
STYLES: Final[Mapping[str, FigureStyle]] = {
    "screen": PAGE_STYLE,
    "print": replace(
        PAGE_STYLE,
        ink="#000000",
        muted="#444444",
        rule="#d4d4d4",
        surface="#ffffff",
        lines=("#000000", "#d55e00", "#0072b2", "#009e73", "#aa4499", "#b8860b", "#56b4e9", "#7f7f7f"),
        other="#9a9a9a",
        middle="#f5f5f5",
        high="#0072b2",
        low="#d55e00",
        strongest=(0.6, 0.7),
        dashes=("", "6 3", "2 2", "8 3 2 3", "4 2", "1 2", "10 3", "6 2 1 2 1 2"),
        font="'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif",
    ),
    "dark": replace(
        PAGE_STYLE,
        ink="#e9e6df",
        muted="#a6a99f",
        rule="#2f3530",
        surface="#191d1a",
        lines=("#7cc7a2", "#eb9d85", "#8fbcf0", "#dcbc62", "#c9a2e4", "#7fccd8", "#f099c2", "#b4bcc8"),
        other="#767c76",
        middle="#262b27",
        high="#7cc7a2",
        low="#dfa066",
        strongest=(0.42, 0.42),
    ),
}
"""Styles by name: for a screen as in a report, for print on white with patterns, and dark."""


# --- files ---
# SVG, and PDF or PNG made from it.

FIGURE_FORMATS: Final = (".svg", ".pdf", ".png")
CONVERTER: Final = "vl_convert"
EXTRA: Final = "figures"
"""The optional package that makes PDF and PNG, and the extra that installs it."""
POINTS_PER_INCH: Final = 72
MM_PER_INCH: Final = 25.4
CSS_PIXELS_PER_INCH: Final = 96
MIN_WIDTH: Final = 300
"""Least width of a figure, in units of which its text is 12 high."""
_MILLIMETRES: Final = re.compile(r'"([\d.]+)mm"')
_HEADER: Final = re.compile(r'(<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)") style="[^"]*"([^>]*)>')


def fit_style(style: FigureStyle, width_mm: float, font_points: float) -> FigureStyle:
    """Return a style whose figures are `width_mm` wide with text of `font_points`."""
    unit_mm = _unit_in_mm(font_points)
    width = width_mm / unit_mm
    if width < MIN_WIDTH:
        raise ConfigError(
            f"a figure {width_mm:g} mm wide has no room for text of {font_points:g} pt: give --width "
            f"{MIN_WIDTH * unit_mm:.0f} or more, or a smaller --font-size"
        )
    return style.with_width(width)


def _unit_in_mm(font_points: float) -> float:
    """Return the size of a figure's unit where its text has a size in points."""
    return font_points / FONT_SIZE / POINTS_PER_INCH * MM_PER_INCH


def make_document(figure: Markup, style: FigureStyle, font_points: float) -> str:
    """Return the first element of a figure as an SVG document, with its size and its background."""
    end = "</svg>"
    text = str(figure)
    text = text[text.index("<svg ") : text.index(end) + len(end)]
    unit_mm = _unit_in_mm(font_points)

    def resize(match: re.Match[str]) -> str:
        width, height = float(match[2]), float(match[3])
        background = f'<rect width="{match[2]}" height="{match[3]}" fill="{style.surface}"/>'
        size = f'width="{width * unit_mm:.2f}mm" height="{height * unit_mm:.2f}mm"'
        return f"{match[1]} {size}{match[4]}>{background}"

    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _HEADER.sub(resize, text, count=1) + "\n"


def check_figure_format(path: Path) -> None:
    """Check that a figure can be written to a file."""
    ending = path.suffix.lower()
    if ending not in FIGURE_FORMATS:
        raise ConfigError(f"{path} must end in {', '.join(FIGURE_FORMATS[:-1])} or {FIGURE_FORMATS[-1]}")
    if ending != ".svg":
        import_optional(CONVERTER, EXTRA)


def write_figure(document: str, path: Path, dots_per_inch: int) -> None:
    """Write an SVG document to a file, as PDF or PNG by its ending."""
    check_figure_format(path)
    content = _encode(document, path.suffix.lower(), dots_per_inch)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as file:
        file.write(content)


def _encode(document: str, ending: str, dots_per_inch: int) -> bytes:
    if ending == ".svg":
        return document.encode()
    converter: Any = import_optional(CONVERTER, EXTRA)
    if ending == ".pdf":
        pdf: bytes = converter.svg_to_pdf(_MILLIMETRES.sub(_convert_to_points, document, count=2))
        return pdf
    # The converter takes a document's pixels, 96 an inch, for points.
    scale = POINTS_PER_INCH / CSS_PIXELS_PER_INCH
    png: bytes = converter.svg_to_png(document, scale=scale, ppi=dots_per_inch)
    return png


def _convert_to_points(match: re.Match[str]) -> str:
    """Return a length as a number, which the converter takes for points."""
    return f'"{float(match[1]) / MM_PER_INCH * POINTS_PER_INCH:.2f}"'
