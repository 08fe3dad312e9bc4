"""A terminal may be small, or go away: neither is an error, and the second is a way to leave."""

import pytest

from arena.interactive import Terminal
from arena.report.terminal_layout import TerminalSize


def terminal(
    typed: list[str],
    size: TerminalSize | None = None,
    *,
    is_interactive: bool = True,
    written: list[str] | None = None,
) -> Terminal:
    """One at which this is typed; OSError stands for a window that is gone."""

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


def test_what_is_typed_comes_without_spaces_around_it() -> None:
    assert terminal(["  4D>9D \n"]).ask() == "4D>9D"


@pytest.mark.parametrize("typed", [[], ["gone"]], ids=["end of file", "gone"])
def test_an_end_is_the_wish_to_leave(typed: list[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        terminal(typed).ask()


def test_when_the_window_is_gone_it_is_said_once() -> None:
    def write(text: str) -> None:
        raise BrokenPipeError

    broken = Terminal(lambda prompt: "", write, TerminalSize(80, 24), is_interactive=True)
    with pytest.raises(KeyboardInterrupt):
        broken.say("hello")
    broken.say("to nobody")


@pytest.mark.parametrize(("columns", "used"), [(20, 60), (72, 72), (300, 100)])
def test_lines_are_neither_too_short_nor_too_long_to_be_read(columns: int, used: int) -> None:
    assert terminal([], TerminalSize(columns, 24)).columns == used


def test_a_page_is_read_a_window_at_a_time_until_there_is_enough() -> None:
    written: list[str] = []
    pages = terminal(["", "q"], TerminalSize(80, 12), written=written)
    pages.page("\n".join(map(str, range(100))))
    assert written == ["\n".join(map(str, range(10))), "\n".join(map(str, range(10, 20)))]


def test_a_page_comes_whole_where_nobody_reads_along() -> None:
    written: list[str] = []
    terminal([], TerminalSize(80, 12), is_interactive=False, written=written).page(
        "\n".join(map(str, range(100)))
    )
    assert len(written) == 1
