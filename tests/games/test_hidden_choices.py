"""Choices that a deal hides: others see a cover until they are opened, and records have them."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from arena import Bot, play_match
from arena.games import Match, Rules
from arena.interactive.table import describe_table
from arena.output.pages.event_lines import EventLines
from arena.output.pages.replay_frames import FrameRecorder
from arena.output.words.seat_names import SeatNames
from arena.play.bot_runtime.json_views import view_to_json
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import decode_record, encode_record
from arena.plugins.games import load_game
from tests.strangers.loading import forget_games, write_auction

NAMES = SeatNames(("Ann", "Bob", "Cid"))


@pytest.fixture
def auction(tmp_path: Path) -> Iterator[Rules]:
    with forget_games():
        yield load_game(str(write_auction(tmp_path)))


def bid(match: Match, *amounts: int) -> Match:
    for amount in amounts:
        match.apply(match.parse(f"bid {amount}"))
    return match


def test_others_see_the_cover_until_the_choice_is_opened(auction: Rules) -> None:
    match = auction.match(3, "sealed")
    eldest, second, dealer = match.deal.opening.order
    bid(match, 4)
    assert match.view(eldest).events == (f"{eldest}:bid 4",)
    assert match.view(second).events == match.view(dealer).events == (f"{eldest}:bid ??",)
    bid(match, 6, 0)
    opened = (f"opened {eldest} bid 4", f"opened {second} bid 6", f"opened {dealer} bid 0")
    assert match.view(dealer).events == (f"{eldest}:bid ??", f"{second}:bid ??", f"{dealer}:bid 0", *opened)
    assert [event.text for event in match.deal.log] == [
        f"{eldest}:bid 4",
        f"{second}:bid 6",
        f"{dealer}:bid 0",
    ]


class Noting(Bot):
    """Bids at random, and notes what it is told."""

    notes: ClassVar[list[tuple[int, str]]] = []

    def act(self, view: Any) -> Any:
        self.notes.extend([(self.info.seat, event) for event in view.events])
        return self.rng.choice(view.legal)

    def observe(self, event: str) -> None:
        self.notes.append((self.info.seat, event))


def test_bots_are_told_the_cover_and_records_have_the_choice(auction: Rules) -> None:
    Noting.notes.clear()
    record = play_match(auction, [Noting] * 3, seed="noted")
    bids = [(seat, event) for seat, event in Noting.notes if ":bid" in event]
    assert {event.partition(":")[2] for seat, event in bids if not event.startswith(f"{seat}:")} == {"bid ??"}
    assert "bid ??" not in json.dumps(record["deals"])
    (deal, _) = replay_record(decode_record(encode_record(record)))
    assert [event.text for event in deal.log] == record["deals"][0]["actions"]


def test_json_table_and_replay_show_each_seat_the_cover(auction: Rules) -> None:
    match = bid(auction.match(3, "shown"), 5)
    eldest, second, _ = match.deal.opening.order
    assert view_to_json(match.view(second))["events"] == (f"{eldest}:bid ??",)
    for seat, shown in ((eldest, "bid 5"), (second, "bid ??")):
        assert describe_table(match.deal, seat, NAMES)["events"] == [(eldest, f"plays {shown}")]
    bid(match, 1, 2)
    words = [words for _, words in describe_table(match.deal, second, NAMES)["events"][3:]]
    assert words == ["has chosen bid 5", "has chosen bid 1", "has chosen bid 2"]
    bid(match, 0, 0, 0)
    deal = match.finished_deals[0]
    recorder = FrameRecorder(deal, EventLines(auction, NAMES.by_seat))
    recorder.record_opening()
    first = recorder.record_actions(None)[0]
    assert [line.notation for line in first["lines"]] == ["bid 5"]
    assert {seat: [line.notation for line in lines] for seat, lines in first["by_seat"].items()} == {
        seat: ["bid ??"] for seat in range(3) if seat != eldest
    }


def test_samples_draw_what_is_hidden_and_keep_what_was_opened(auction: Rules) -> None:
    match = bid(auction.match(3, "sampled"), 4, 6, 0, 3)
    view = match.view(match.seat_to_act or 0)
    drawn = Counter(tuple(event.text for event in world.deal.log) for world in view.samples(Random(1), 700))
    opened = tuple(event.text for event in match.deal.log[:3])
    assert {log[:3] for log in drawn} == {opened}
    assert len(drawn) == 7
    assert sum((times - 100) ** 2 / 100 for times in drawn.values()) < 28  # chi-square of 6: 0.01 %


def test_opening_without_a_hidden_choice_is_refused(auction: Rules) -> None:
    deal: Any = bid(auction.match(2, "opened"), 1, 2).deal
    with pytest.raises(ValueError, match="no choice is hidden: record those to be opened by record_hidden"):
        deal.open_choices()
