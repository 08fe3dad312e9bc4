"""Errors carry their place beside their text, and keep it in another process."""

import pickle
from pathlib import Path

import msgspec
import pytest

from arena import play_match, variant
from arena.errors import ArenaError, ConfigError, RecordError, suggest_nearest
from arena.play.records.record_check import check_lines, locate_errors
from arena.tournament.setup.config import read_config
from tests.play.simple_bots import Quiet


def test_an_error_in_a_record_has_path_line_deal_and_action() -> None:
    record = play_match(variant("lives"), [Quiet, Quiet], seed="any text")
    good = msgspec.json.encode(record)
    record["deals"][1]["actions"][2] = "0:nonsense"
    with pytest.raises(RecordError) as caught:
        check_lines("a file", [good, b"\n", msgspec.json.encode(record)])
    assert caught.value.location == {"path": "a file", "line": 3, "deal": 2, "action": 3}
    assert str(caught.value).startswith("a file, line 3: deal 2: action 3, '0:nonsense': ")


def test_an_error_in_a_config_has_path_and_key(tmp_path: Path) -> None:
    config = tmp_path / "cup.toml"
    config.write_text('bots = ["random", "greedy"]\n[[variants]]\nname = "lives"\ntokns = 3\n')
    with pytest.raises(ConfigError) as caught:
        read_config(config)
    assert caught.value.location == {"path": str(config), "line": 4, "key": "variants[0].tokns"}


def test_the_place_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(RecordError("wrong", path="a file", deal=2)))
    assert (str(error), error.path, error.line, error.deal) == ("wrong", "a file", None, 2)


def test_the_inner_place_wins() -> None:
    with pytest.raises(RecordError) as caught, locate_errors("outside", path="a file", deal=1):
        raise ArenaError("wrong", deal=2)
    assert (str(caught.value), caught.value.location) == ("outside: wrong", {"path": "a file", "deal": 2})


def test_unknown_names_get_the_nearest_or_all_there_are() -> None:
    assert suggest_nearest("gredy", ["random", "greedy"]) == "the nearest is 'greedy'"
    assert suggest_nearest("x", ["random", "greedy"]) == "there are greedy, random"
    assert suggest_nearest("x", []) == "there are none"
