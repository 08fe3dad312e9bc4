"""Runs, rows and replays as a notebook shows them, and rows by index and length."""

from itertools import islice
from pathlib import Path

import pytest

from arena import RecordError, Replay, RunData

pytestmark = pytest.mark.xdist_group("exported run")  # played once


def test_rows_have_a_length_and_an_index(run: RunData) -> None:
    for rows in (run.ratings, run.tallies, run.blocks, run.matches):
        kept = list(rows)
        assert len(rows) == len(kept) > 6
        assert (rows[0], rows[3], rows[-1], rows[-2]) == (kept[0], kept[3], kept[-1], kept[-2])
        for part in (slice(5), slice(1, 6, 2), slice(-3, None), slice(None, -2), slice(None, None, -1)):
            assert rows[part] == kept[part]
        for index in (len(kept), -len(kept) - 1):
            with pytest.raises(IndexError, match=f"there is no row {index}"):
                rows[index]
        assert rows


def test_rows_that_need_a_replay_have_an_index_but_no_length(run: RunData) -> None:
    first = list(islice(run.decisions, 3))
    assert run.decisions[:3] == first
    assert run.decisions[2] == first[2]
    assert run.decisions
    with pytest.raises(TypeError, match="only a replay tells the number of rows of DecisionRow"):
        len(run.decisions)


def test_a_notebook_shows_runs_and_rows_as_tables(run: RunData) -> None:
    shown = run._repr_html_()
    assert "round-robin of 3 bots at lives" in shown
    assert (shown.count("<tr>"), shown.count("<table>")) == (18 + 6, 6)
    assert shown.endswith("<p>.ratings has the rows of all games.</p>")
    matches = run.matches._repr_html_()
    assert "<p>The first 20 rows.</p>" in matches
    assert matches.count("<tr>") == 21
    assert "<th>placing</th>" in matches


def test_a_notebook_shows_a_replay_in_a_frame(run: RunData, tmp_path: Path) -> None:
    row = run.matches[-1]
    replay = run.replay(row.block, row.rotation)
    assert replay.record["block"] == row.block
    assert row.bot in repr(replay)
    frame = replay._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert '"' not in frame.partition('srcdoc="')[2].partition('" sandbox')[0]
    replay.save(tmp_path / "match.html")
    assert (tmp_path / "match.html").read_text(encoding="utf-8") == replay.html
    with pytest.raises(RecordError, match="has no match of the block 'none' with rotation 0"):
        run.replay("none")
    with pytest.raises(RecordError):
        Replay({"v": 1})
