"""Labels of bots: the shortest names that tell the bots of a field apart."""

import pytest

from arena.plugins.bot_spec import find_labelled, label_bots


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (["/home/ann/bots/mine.py:Mine", "greedy"], ["mine.py", "greedy"]),
        (["bots/mine.py", "/x/old/mine.py"], ["bots/mine.py", "old/mine.py"]),
        (["a/b/mine.py", "c/b/mine.py:Mine"], ["a/b/mine.py", "c/b/mine.py"]),
        (["a/mine.py:Left", "a/mine.py:Right"], ["mine.py:Left", "mine.py:Right"]),
        (["a/mine.py(depth=1)", "a/mine.py(depth=2)"], ["mine.py(depth=1)", "mine.py(depth=2)"]),
        (["mine.py", "a/mine.py"], ["mine.py", "a/mine.py"]),
        (["cmd:/x/bot.py", "cmd:./bot --flag", "ann's best", "a/folder"], None),
    ],
)
def test_a_path_is_printed_by_its_shortest_end(names: list[str], labels: list[str] | None) -> None:
    assert list(label_bots(names).items()) == list(zip(names, labels or names, strict=True))
    assert [find_labelled(names, label) for label in labels or names] == names


def test_a_text_that_is_no_label_stays() -> None:
    assert find_labelled(["a/mine.py", "greedy"], "gredy") == "gredy"
