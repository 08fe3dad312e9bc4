"""A terminal may be small or be closed; closing it leaves the match."""

import click
import pytest

from arena.interactive import Terminal
from arena.output.words.cards import color_cards
from arena.output.words.terminal_layout import TerminalSize, align_rows


def terminal(
    typed: list[str],
    size: TerminalSize | None = None,
    *,
    is_interactive: bool = True,
    written: list[str] | None = None,
) -> Terminal:
    """Return a terminal with this input; `gone` stands for a closed window."""

    def read(prompt: str) -> str:
        if not typed:
            raise EOFError
        if typed[0] == "gone":
            raise OSError
        return typed.pop(0)

    return Terminal(
        read,
        (written if written is not None else []).append,
        size or TerminalSize(80, 24),
        is_interactive=is_interactive,
    )


def test_input_is_stripped() -> None:
    assert terminal(["  4D>9D \n"]).ask() == "4D>9D"


@pytest.mark.parametrize("typed", [[], ["gone"]], ids=["end of file", "gone"])
def test_end_of_input_interrupts(typed: list[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        terminal(typed).ask()


def test_a_closed_window_interrupts_once() -> None:
    def write(text: str) -> None:
        raise BrokenPipeError

    broken = Terminal(lambda prompt: "", write, TerminalSize(80, 24), is_interactive=True)
    with pytest.raises(KeyboardInterrupt):
        broken.say("hello")
    broken.say("to nobody")


@pytest.mark.parametrize(("columns", "used"), [(20, 56), (72, 72), (300, 100)])
def test_line_length_is_limited(columns: int, used: int) -> None:
    assert terminal([], TerminalSize(columns, 24)).columns == used


def test_long_texts_are_paged_until_stopped() -> None:
    written: list[str] = []
    pages = terminal(["", "q"], TerminalSize(80, 12), written=written)
    pages.page("\n".join(map(str, range(100))))
    assert written == ["\n".join(map(str, range(10))), "\n".join(map(str, range(10, 20)))]


def test_texts_are_not_paged_if_not_interactive() -> None:
    written: list[str] = []
    terminal([], TerminalSize(80, 12), is_interactive=False, written=written).page(
        "\n".join(map(str, range(100)))
    )
    assert len(written) == 1


def test_long_lines_are_folded_to_the_window() -> None:
    written: list[str] = []
    terminal([], TerminalSize(56, 24), written=written).say(
        f"  {click.style('word', bold=True)} " + "long " * 12
    )
    assert [len(line) for line in click.unstyle(written[0]).split("\n")] == [56, 13]
    assert "\n    long" in written[0]


def test_cards_have_suit_symbols_where_the_encoding_has_them() -> None:
    written: list[str] = []
    shown = Terminal(str, written.append, TerminalSize(80, 24), is_interactive=True, has_suit_symbols=True)
    shown.say(color_cards("take 4D,5H for TD"))
    shown.say("saved to AS.jsonl", has_cards=False)
    assert [click.unstyle(text) for text in written] == ["take 4♦,5♥ for T♦", "saved to AS.jsonl"]


def test_remarks_that_do_not_fit_are_below_their_row() -> None:
    rows = [["0", "you", "2C 9C QC", "flush, queen high"], ["1", "greedy", "?? ?? ??", "deals"]]
    assert align_rows(rows, 40, remarks=1) == [
        "  0  you     2C 9C QC  flush, queen high",
        "  1  greedy  ?? ?? ??  deals",
    ]
    assert align_rows(rows, 30, remarks=1) == [
        "  0  you     2C 9C QC\n     flush, queen high",
        "  1  greedy  ?? ?? ??  deals",
    ]
    assert align_rows(rows, 20, remarks=1) == [
        "  0  you\n     2C 9C QC  flush, queen high",
        "  1  greedy\n     ?? ?? ??  deals",
    ]
