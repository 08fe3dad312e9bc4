"""Transcripts show cards, actions, ranks and results."""

from collections.abc import Sequence
from typing import Any

import click
import msgspec
import pytest

from arena.errors import RecordError
from arena.games import VARIANTS, Rules, View, variant
from arena.games.action import Action
from arena.games.settlement.holdings import Changes, Holdings
from arena.output.texts.review import format_match
from arena.output.words.cards import LOSS_COLOR, format_outcome
from arena.play import Bot, play_match
from arena.tournament.record_search import FoundRecord, read_records, replay_deals

BY_HAND: dict[str, Any] = {
    "v": 1,
    "variant": "lives",
    "options": {},
    "players": 3,
    "bots": ["greedy", "random", "prudent"],
    "block": "any block",
    "rotation": 2,
    "start": {"tokens": [1, 1, 3]},
    "deals": [
        {
            "dealer": 0,
            "hands": ["TD 6C 2H", "9H 9C 4D", "KS QS 5H"],
            "table": "JS 9D 3C",
            "stock": "",
            "actions": ["1:4D>9D", "2:5H>JS", "0:2H>4D", "1:knock", "2:pass", "0:4D>5H"],
            "result": {"tokens": [-1, 0, 0]},
        },
        {
            "dealer": 1,
            "hands": [None, "AH 2S 3S", "7S 7D 2C"],
            "table": "KH QH 8D",
            "stock": "",
            "actions": ["2:knock", "1:2S>KH"],
            "result": {"tokens": [0, -1, 0]},
        },
    ],
    "faults": [{"seat": 0, "kind": "illegal", "deal": 0}, {"seat": 0, "kind": "illegal", "deal": 0}],
}

STORY = """\
Match 1: lives, 3 players

  Block any block, rotation 2

Deal 1: greedy deals

  1  random   9H 9C 4D  1 token
  2  prudent  KS QS 5H  3 tokens
  0  greedy   TD 6C 2H  1 token
     widow    JS 9D 3C

  1  random   takes 9D for 4D  4D>9D  9H 9C 9D  JS 4D 3C
  2  prudent  takes JS for 5H  5H>JS  KS QS JS  5H 4D 3C
  0  greedy   takes 4D for 2H  2H>4D  TD 6C 4D  5H 2H 3C
  1  random   knocks           knock
  2  prudent  passes           pass
  0  greedy   takes 5H for 4D  4D>5H  TD 6C 5H  4D 2H 3C

  1  random   9H 9C 9D  three nines
  2  prudent  KS QS JS  sequence to the king
  0  greedy   TD 6C 5H  point 21              loses 1 token, has 0; is out

Deal 2: random deals

  2  prudent  7S 7D 2C  3 tokens
  1  random   AH 2S 3S  1 token
     widow    KH QH 8D

  2  prudent  knocks           knock
  1  random   takes KH for 2S  2S>KH  AH KH 3S  2S QH 8D

  2  prudent  7S 7D 2C  pair of sevens
  1  random   AH KH 3S  point 24        loses 1 token, has 0; is out

The match is over

  1  prudent  0
  2  random   -1
  3  greedy   -1

  Faults: greedy illegal ×2"""


class Anything(Bot):
    """Plays random legal actions."""

    def act(self, view: View) -> Action:
        return self.rng.choice(view.legal)


def found(record: dict[str, Any]) -> FoundRecord:
    [read] = read_records("a file", [msgspec.json.encode(record)])
    return read


def told(record: dict[str, Any], deal: int | None = None) -> str:
    return format_match(found(record), replay_deals("a file", found(record)), deal)


def test_a_transcript_has_all_deals_and_the_result() -> None:
    assert click.unstyle(told(BY_HAND)) == STORY


def test_one_deal_can_be_printed_alone() -> None:
    begin, end = STORY.index("Deal 2"), STORY.index("\n\nThe match is over")
    faults = STORY[STORY.index("\n\n  Faults") :]
    head = STORY[: STORY.index("Deal 1")]
    assert click.unstyle(told(BY_HAND, deal=2)) == head + STORY[begin:end] + faults


def test_one_seat_sees_its_cards_and_what_was_shown() -> None:
    text = click.unstyle(format_match(found(BY_HAND), replay_deals("a file", found(BY_HAND)), 1, viewer=1))
    assert "\n\n  As random saw it from seat 1\n\n" in text
    begin = STORY.index("  1  random   9H 9C 4D")
    all_cards = STORY[begin : STORY.index("\n\nDeal 2")]
    seen = all_cards
    for hidden in ("KS QS 5H", "TD 6C 2H"):
        seen = seen.replace(hidden, "?? ?? ??", 1)
    for hidden in ("KS QS JS  5H", "TD 6C 4D  5H", "TD 6C 5H  4D"):
        seen = seen.replace(hidden, " " * 10 + hidden[-2:], 1)
    assert seen in text
    with pytest.raises(RecordError, match=r"^match 1 has seats 0 to 2, there is no seat 3$"):
        format_match(found(BY_HAND), replay_deals("a file", found(BY_HAND)), viewer=3)


def test_a_seat_that_scores_nothing_says_so() -> None:
    changes, holdings = Changes(points=(0, 7)), Holdings(points=(3, 7), went_out=(None, None))
    assert format_outcome(changes, holdings, 0, 0) == "scores 0, has 3"


def test_a_missing_deal_is_an_error() -> None:
    with pytest.raises(RecordError, match=r"^match 1 has 2 deals, there is no deal 3$"):
        told(BY_HAND, deal=3)


def test_a_false_record_is_an_error() -> None:
    lie = {**BY_HAND, "placings": [1, 2, 3]}
    with pytest.raises(RecordError, match=r"^a file, line 1: the placings are \[3, 2, 1\], not \[1, 2, 3\]$"):
        told(lie)


def test_an_unfinished_match_has_no_result() -> None:
    early = {**BY_HAND, "deals": BY_HAND["deals"][:1]}
    assert "The match is over" not in told(early)


def test_seats_without_names_have_numbers() -> None:
    nameless = {key: value for key, value in BY_HAND.items() if key != "bots"}
    assert "Deal 1: seat 0 deals" in told(nameless)


def test_suits_are_colored_and_losses_are_red() -> None:
    text = told(BY_HAND, deal=2)
    assert click.style("AH", fg=160) + " " + click.style("KH", fg=160) + " 3S" in text
    assert "7S " + click.style("7D", fg=33) + " " + click.style("2C", fg=28) in text
    assert click.style("loses 1 token, has 0", fg=LOSS_COLOR) in text


def test_the_best_hand_is_bold() -> None:
    text = told(BY_HAND, deal=2)
    assert f"{click.style('7S', bold=True)} {click.style('7D', fg=33, bold=True)}" in text
    assert click.style("pair of sevens", bold=True) in text
    assert click.style("AH", fg=160, bold=True) not in text


def test_names_cannot_contain_control_characters() -> None:
    text = told({**BY_HAND, "bots": ["\x1b[2Jgreedy", "random", "prudent"]})
    assert "\x1b[2J" not in text
    assert "Deal 1: [2Jgreedy deals" in text


def notations(deals: Sequence[dict[str, Any]]) -> list[str]:
    """Return the actions of a record without their seats."""
    return [action.partition(":")[2] for deal in deals for action in deal["actions"]]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_every_variant_has_a_transcript(rules: Rules) -> None:
    record = play_match(rules, [Anything] * 4, seed="a story")
    record["bots"] = ["one", "rollout(iterations=200)", "three", "four"]
    text = click.unstyle(told(record))
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("\nDeal ") == len(record["deals"])
    assert [action for action in notations(record["deals"]) if f"  {action}" not in text] == []
    assert text.count("\nThe match is over") == 1
    deals = replay_deals("a file", found(record))
    for seat in (0, 3):
        seen = click.unstyle(format_match(found(record), deals, viewer=seat))
        assert seen.count("\nDeal ") == len(deals)


def test_drawn_cards_are_named() -> None:
    record = play_match(variant("cambio"), [Anything, Anything], "seen")
    text = click.unstyle(told(record, 1))
    drawn = record["deals"][0]["stock"].split()
    assert drawn
    assert all(f"draws from the stock: {card}" in text for card in drawn)
