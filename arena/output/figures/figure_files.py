"""Figures as files of their own: SVG, and PDF or PNG made from it."""

import re
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from arena.errors import ConfigError, import_optional
from arena.output.figures.figure_style import FONT_SIZE, FigureStyle
from arena.tournament.files import replace_file

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
    """Return a style whose figures are `width_mm` wide with text of `font_points`.

    Raises:
        ConfigError: If there is no room for text of that size.
    """
    unit_mm = unit_in_mm(font_points)
    width = width_mm / unit_mm
    if width < MIN_WIDTH:
        raise ConfigError(
            f"a figure {width_mm:g} mm wide has no room for text of {font_points:g} pt: give --width "
            f"{MIN_WIDTH * unit_mm:.0f} or more, or a smaller --font-size"
        )
    return style.with_width(width)


def unit_in_mm(font_points: float) -> float:
    """Return the size of a figure's unit where its text has a size in points."""
    return font_points / FONT_SIZE / POINTS_PER_INCH * MM_PER_INCH


def make_document(figure: Markup, style: FigureStyle, font_points: float) -> str:
    """Return the first element of a figure as an SVG document, with its size and its background."""
    end = "</svg>"
    text = str(figure)
    text = text[text.index("<svg ") : text.index(end) + len(end)]
    unit_mm = unit_in_mm(font_points)

    def resize(match: re.Match[str]) -> str:
        width, height = float(match[2]), float(match[3])
        background = f'<rect width="{match[2]}" height="{match[3]}" fill="{style.surface}"/>'
        size = f'width="{width * unit_mm:.2f}mm" height="{height * unit_mm:.2f}mm"'
        return f"{match[1]} {size}{match[4]}>{background}"

    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _HEADER.sub(resize, text, count=1) + "\n"


def check_figure_format(path: Path) -> None:
    """Check that a figure can be written to a file.

    Raises:
        MissingPackage: For PDF and PNG without the package that makes them.
        ConfigError: For another ending.
    """
    ending = path.suffix.lower()
    if ending not in FIGURE_FORMATS:
        raise ConfigError(f"{path} must end in {', '.join(FIGURE_FORMATS[:-1])} or {FIGURE_FORMATS[-1]}")
    if ending != ".svg":
        import_optional(CONVERTER, EXTRA)


def write_figure(document: str, path: Path, dots_per_inch: int) -> None:
    """Write an SVG document to a file, as PDF or PNG by its ending.

    Raises:
        MissingPackage: As `check_figure_format`.
        ConfigError: As `check_figure_format`.
    """
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
