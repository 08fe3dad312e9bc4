"""The worked examples of sheets B4 and B6-B9 as records that hold, and false twins that do not."""

from typing import Any

import pytest

from arena.errors import RecordError
from arena.play.records.record_check import check_record

Record = dict[str, Any]


def record(name: str, told: str, actions: str, result: Record, dealer: int = 0, **options: Any) -> Record:
    """A record of one deal; `told`: the hands, the table and the stock, with strokes between."""
    *hands, table, stock = [part.strip() for part in told.split("|")]
    deal = {
        "dealer": dealer,
        "hands": hands,
        "table": table,
        "stock": stock,
        "actions": actions.split(", "),
        "result": result,
    }
    return {"v": 1, "variant": name, "options": options, "players": len(hands), "deals": [deal]}


B4_4 = ("schwimmen", "QH TH JS | AC KC 9C | AD JD 7C | AS 8S 7S | TD 8H 9H |")
B4_4_PLAYED = "0:keep, 1:pass, 2:7C>TD"
B4_6 = ("schwimmen", "QD TD 7S | QC TC 7H | AS TS 9S | KH 9C 8S |")
B4_6_PLAYED = "0:keep, 1:knock, 2:pass, 0:pass"
B6 = ("trentuno", "QS 7H 5D | KC QC JC | 2S 2H 3D | 2D 6C 5S |")
B6_PLAYED = "1:knock, 2:3D>2D, 0:QS>3D"
B7_6 = ("stop-the-bus", "TD 6C 2H | 9H 9C 4D | KS QS 5H | AS 7D 3S | JS 9D 3C |")
B7_6_PLAYED = "1:4D>9D, 1:knock, 2:5H>JS, 3:3S>5H, 0:TD>3S"
B8_5 = ("bastard-brag", "TD 6C 2H | 9H 9C 5D | KS QS 4H | JS 9D 3C |")
B8_5_PLAYED = "1:5D>??, 2:4H>??, 0:*, 1:knock, 2:5D>TD, 0:JS>5D"
B9_5 = ("whisky-poker", "KC KD 9H 9S 3C | QC QD 9D 9C AC | AH 8H 7C 4H 2H | JS JH 6H 5D 5S |")
B9_5_PLAYED = "1:pass, 2:knock, 0:turn, 1:pass"


@pytest.mark.parametrize(
    "told",
    [
        record(*B4_4, B4_4_PLAYED, {"tokens": [-1, 0, 0, 0]}),
        record(*B4_6, B4_6_PLAYED, {"tokens": [-1, -1, 0]}),
        record(*B4_6, B4_6_PLAYED, {"tokens": [0, -1, 0]}, knocker_alone=True),
        record(*B6, B6_PLAYED, {"tokens": [-1, 0, 0]}),
        record(*B7_6, B7_6_PLAYED, {"tokens": [-1, 0, 0, 0]}),
        record(*B8_5, B8_5_PLAYED, {"tokens": [0, 0, -1]}),
        record(*B9_5, B9_5_PLAYED, {"chips": [2, -1, -2], "pool": 1}),
    ],
    ids=["B4 4", "B4 6", "B4 6 knocker alone", "B6 2", "B7 6", "B8 5", "B9 5"],
)
def test_the_worked_examples_are_true(told: Record) -> None:
    assert check_record(told).deals == 1


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (record(*B4_4, B4_4_PLAYED, {"tokens": [-1, -1, 0, -1]}), "result"),
        (record(*B4_4, B4_4_PLAYED + ", 3:pass", {"tokens": [-1, 0, 0, 0]}), "over"),
        (record(*B4_4, "1:pass", {"tokens": [-1, 0, 0, 0]}), "seat 0"),
        (record(*B4_6, "0:keep, 1:QC,TC>KH,9C", {"tokens": [-1, 0, 0]}), "not legal"),
        (record(*B4_6, B4_6_PLAYED, {"tokens": [0, -1, 0]}), "result"),
        (record(*B6, B6_PLAYED, {"tokens": [0, -1, 0]}), "result"),
        (record(*B6, "1:knock, 2:knock", {"tokens": [-1, 0, 0]}), "not legal"),
        (record(*B7_6, "1:pass", {"tokens": [-1, 0, 0, 0]}), "not legal"),
        (record(*B7_6, "1:4D>9D, 2:5H>JS", {"tokens": [-1, 0, 0, 0]}), "seat 1"),
        (record(*B8_5, "1:5D>9D", {"tokens": [-1, 0, 0]}), "9D"),
        (record(*B8_5, "1:knock", {"tokens": [-1, 0, 0]}), "not legal"),
        (record(*B9_5, "1:pass, 2:pass, 0:pass", {"chips": [2, -1, -2], "pool": 1}), "not legal"),
        (record(*B9_5, B9_5_PLAYED, {"chips": [2, -1, -1], "pool": 0}), "result"),
    ],
    ids=str,
)
def test_a_false_one_is_refused_with_the_reason(told: Record, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        check_record(told)


def test_the_face_down_card_is_written_so_in_the_record_and_its_card_is_told_by_the_table() -> None:
    told = record(*B8_5, B8_5_PLAYED, {"tokens": [0, 0, -1]})
    assert "9D" in told["deals"][0]["table"]
    assert not any("9D" in action for action in told["deals"][0]["actions"])
    check_record(told)
