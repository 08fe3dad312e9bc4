"""Figures: scales with round ticks, and complete SVG documents, PDF and PNG of the size asked for."""

import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from arena.errors import ConfigError, MissingPackage
from arena.output.figures import style as figure_files
from arena.output.figures.charts import (
    Grid,
    Interval,
    Scale,
    Series,
    dot_plot,
    find_axis_ends,
    fit_scale,
    heat_map,
    line_chart,
    powers_of_ten,
    round_step,
)
from arena.output.figures.style import (
    LINE_COLORS,
    PAGE_STYLE,
    SHADES,
    STYLES,
    FigureStyle,
    fit_style,
    make_document,
    write_figure,
)


def test_values_lie_between_the_ends() -> None:
    down = Scale(1000, 2000, 300, 10)
    assert [down.at(value) for value in (1000, 1500, 2000)] == [300, 155, 10]


def test_a_scale_of_one_value_puts_it_in_the_middle() -> None:
    assert Scale(5, 5, 0, 100).at(5) == 50
    assert fit_scale([5.0], 0, 100).at(5.0) == 50


@pytest.mark.parametrize(
    ("least", "step"), [(1, 1), (1.1, 2), (3, 5), (7, 10), (12, 20), (0.03, 0.05), (0, 1)]
)
def test_steps_are_round(least: float, step: float) -> None:
    assert round_step(least) == pytest.approx(step)


def test_ticks_are_round_and_within() -> None:
    assert Scale(943, 2011, 0, 100).ticks(4) == [1000, 1500, 2000]
    assert Scale(2.44, 2.57, 0, 100).ticks(3) == pytest.approx([2.45, 2.5, 2.55])


def test_powers_of_ten() -> None:
    assert powers_of_ten(6, 12_000) == [10, 100, 1000, 10_000]
    assert powers_of_ten(2, 7) == []


def test_a_giant_bar_ends_in_an_arrow_and_does_not_stretch_the_axis() -> None:
    bars = {"a": Interval(1900, 20), "b": Interval(1600, 20), "c": Interval(1000, 3000)}
    assert find_axis_ends(list(bars.values())) == [1880, 1920, 1580, 1620, 100, 2800]
    assert find_axis_ends([Interval(1500, None), Interval(1400, 90)]) == [1500, 1500, 1310, 1490]
    figure = dot_plot(bars, None, "Elo")
    assert figure.count("l-6 6l6 6") == figure.count("l6 6l-6 6") == figure.count("</svg>")
    assert "-2000" not in figure


ROWS = {"greedy <b>": Interval(1600.0, 20.0), "random": Interval(1400.0, None)}
FILLED = ("path", "circle", "rect", "text")


def draw(style: FigureStyle) -> dict[str, Markup]:
    """Return one figure of each form."""
    series = [Series(f"bot {place}", [1500.0, 1600.0], Interval(1600.0, 5.0)) for place in range(9)]
    grid = Grid(["a", "b"], ["a", "b"], [[None, 1.0], [-1.0, None]], [["", "100"], ["0", ""]])
    return {
        "dots": dot_plot(ROWS, 1500, "Elo", style=style, axis="Elo"),
        "lines": line_chart([6, 60], series, "Elo over blocks", style, "Elo"),
        "map": heat_map(grid, "Scores", style),
    }


@pytest.mark.parametrize("form", ["dots", "lines", "map"])
@pytest.mark.parametrize("name", STYLES)
def test_a_document_is_complete_in_itself(name: str, form: str) -> None:
    """Every element has its own colors, or inherits those of the root: there is no style sheet."""
    style = STYLES[name]
    root = ElementTree.fromstring(make_document(draw(style)[form], style, 9).encode())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (root.get("fill"), root.get("font-size")) == (style.ink, "12")
    background, *elements = root
    assert background.get("fill") == style.surface
    shapes = [element for element in elements if not element.tag.endswith("text")]
    assert shapes
    assert all(element.get("fill") for element in shapes)
    assert all(element.get("stroke") for element in shapes if element.get("fill") == "none")


def test_a_figure_has_the_width_and_the_size_of_text_that_were_asked_for() -> None:
    style = fit_style(PAGE_STYLE, width_mm=85, font_points=8)
    root = ElementTree.fromstring(make_document(draw(style)["dots"], style, 8).encode())
    assert root.get("width") == "85.00mm"
    width = float((root.get("viewBox") or "").split()[2])
    assert 12 / width * 85 == pytest.approx(8 / 72 * 25.4, abs=0.01)
    with pytest.raises(ConfigError, match=r"has no room for text of 20 pt: give --width 176 or more"):
        fit_style(PAGE_STYLE, width_mm=85, font_points=20)


def test_lines_in_print_differ_by_dashes_too() -> None:
    chart = draw(STYLES["print"])["lines"]
    lines = re.findall(r'<path class="course c\d"[^>]*>', chart)
    looks = {tuple(re.findall(r'(?:stroke|stroke-dasharray)="([^"]*)"', line)) for line in lines}
    assert len(looks) == len({look[1:] for look in looks}) == LINE_COLORS


def test_the_report_style_is_that_of_its_style_sheet() -> None:
    """A figure of a report looks by itself as it does on the light page."""
    folder = Path(figure_files.__file__).parents[1] / "pages" / "style"
    light = dict(
        re.findall(r"--([\w-]+): light-dark\((#\w+),", (folder / "tokens.css").read_text(encoding="utf-8"))
    )
    assert tuple(light[f"c{number}"] for number in range(LINE_COLORS)) == PAGE_STYLE.lines
    named = [light[name] for name in ("ink", "muted", "rule", "surface", "cx")]
    assert named == [PAGE_STYLE.ink, PAGE_STYLE.muted, PAGE_STYLE.rule, PAGE_STYLE.surface, PAGE_STYLE.other]
    sheet = (folder / "figures.css").read_text(encoding="utf-8")
    for sign, name, base in ((1, "h", "c0"), (-1, "hm", "heat-low")):
        assert f"light-dark(color-mix(in srgb, var(--{base}) var(--part), var(--surface))" in sheet
        mixed = re.findall(rf"\.{name}\d \{{ --part: (\d+)%", sheet)
        assert len(mixed) == SHADES
        for step, share in enumerate(mixed, 1):
            parts = [int(light[base][at : at + 2], 16) * int(share) / 100 for at in (1, 3, 5)]
            surface = [int(PAGE_STYLE.surface[at : at + 2], 16) for at in (1, 3, 5)]
            whole = [
                part + (1 - int(share) / 100) * other for part, other in zip(parts, surface, strict=True)
            ]
            own = PAGE_STYLE.shade(sign * step)
            assert [int(own[at : at + 2], 16) for at in (1, 3, 5)] == pytest.approx(whole, abs=3)


def test_pdf_and_png_have_the_size_of_the_document(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    style = fit_style(STYLES["print"], 127, 9)
    document = make_document(draw(style)["dots"], style, 9)
    for ending in ("svg", "pdf", "png"):
        write_figure(document, tmp_path / f"elo.{ending}", 200)
    assert (tmp_path / "elo.svg").read_text(encoding="utf-8") == document
    box = re.search(rb"/MediaBox ?\[0 0 ([\d.]+)", (tmp_path / "elo.pdf").read_bytes())
    assert box
    assert float(box[1]) == pytest.approx(360, abs=0.1)  # 127 mm are 5 inches of 72 points
    width, _ = struct.unpack(">II", (tmp_path / "elo.png").read_bytes()[16:24])
    assert width == pytest.approx(1000, abs=1)


def test_a_missing_package_and_an_unknown_ending_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = make_document(draw(PAGE_STYLE)["dots"], PAGE_STYLE, 9)
    with pytest.raises(ConfigError, match=r"elo\.gif must end in \.svg, \.pdf or \.png"):
        write_figure(document, tmp_path / "elo.gif", 200)
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(MissingPackage, match=r"commerce-arena\[figures\]"):
        write_figure(document, tmp_path / "elo.pdf", 200)
    assert not list(tmp_path.iterdir())
