"""Colors of cards can be read in dark and in bright terminals."""

from arena.output.words.cards import GAIN_COLOR, LOSS_COLOR, SUIT_COLORS

LEVELS = (0, 95, 135, 175, 215, 255)


def luminance(color: int) -> float:
    """Return the relative luminance of one of the 216 colors of the cube. Source: WCAG 2.1."""
    parts = [LEVELS[(color - 16) // step % 6] / 255 for step in (36, 6, 1)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_colors_contrast_with_black_and_with_white() -> None:
    for color in {*SUIT_COLORS.values(), GAIN_COLOR, LOSS_COLOR}:
        light = luminance(color)
        assert (light + 0.05) / 0.05 > 3, color
        assert 1.05 / (light + 0.05) > 3, color
