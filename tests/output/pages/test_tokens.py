"""One style sheet has the colours of all pages, and every pair of text and ground can be read."""

import re
from pathlib import Path

import pytest

ARENA = Path(__file__).parents[3] / "arena"
TOKENS = ARENA / "output/pages/style/tokens.css"
SHEETS = [path for path in sorted(ARENA.glob("**/style/*.css")) if path != TOKENS]
COLOR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(")
CARD_FACE = re.compile(r"^\.(face|four|suit-)[^{]*\{[^}]*\}.*$", re.MULTILINE)
PAIRS = [
    ("ink", "paper", 7.0),
    ("ink", "surface", 7.0),
    ("muted", "paper", 4.5),
    ("muted", "surface", 4.5),
    ("accent", "surface", 4.5),
    ("on-accent", "accent", 4.5),
    *[(name, f"{name}-soft", 4.5) for name in ("good", "bad", "warn", "info")],
    ("on-bar", "bar", 7.0),
    ("on-bar-muted", "bar", 4.5),
    ("on-felt", "felt", 4.5),
    ("on-felt-muted", "felt", 4.5),
    ("on-pick", "pick", 7.0),
    ("on-clue", "clue", 7.0),
    ("on-knock", "knock", 7.0),
    ("line", "surface", 3.0),
    ("pick", "felt", 3.0),
    ("clue", "felt", 3.0),
    *[(f"seat-{number}", "felt", 3.0) for number in range(8)],
    *[(f"c{number}", "surface", 4.5) for number in range(8)],
]


def read_tokens() -> dict[str, list[str]]:
    """Return the colours of each token, in light and in dark."""
    found = {}
    for name, value in re.findall(
        r"--([\w-]+): (light-dark\([^;]*\)|#\w+);", TOKENS.read_text(encoding="utf-8")
    ):
        colors = re.findall(r"#\w+", value)
        found[name] = colors if len(colors) == 2 else colors * 2
    return found


def measure_luminance(color: str) -> float:
    """Return the relative luminance of a colour, as WCAG 2.2 defines it."""
    digits = color[1:] if len(color) == 7 else "".join(digit * 2 for digit in color[1:])
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_no_other_sheet_has_a_colour_outside_card_faces(sheet: Path) -> None:
    assert COLOR.findall(CARD_FACE.sub("", sheet.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(("text", "ground", "least"), PAIRS)
def test_text_can_be_read_on_its_ground(text: str, ground: str, least: float) -> None:
    tokens = read_tokens()
    for one, other in zip(tokens[text], tokens[ground], strict=True):
        light, dark = sorted([measure_luminance(one), measure_luminance(other)], reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= least
