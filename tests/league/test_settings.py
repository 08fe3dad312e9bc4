"""The settings of a league."""

from datetime import datetime, timedelta, timezone

import pytest

from arena.errors import ConfigError, PluginError
from arena.league.folder import LeagueFolder
from arena.league.settings import TEMPLATE, Settings, make_settings, parse_settings, read_settings

LIVES: dict[str, object] = {"variants": [{"name": "lives"}]}


def test_new_league_has_the_defaults(folder: LeagueFolder) -> None:
    assert read_settings(folder.path) == make_settings(LIVES, "here")


DEADLINE = datetime(2026, 12, 18, 23, 59, tzinfo=timezone(timedelta(hours=1)))


def test_what_comes_after_the_deadline_is_refused() -> None:
    settings = make_settings({**LIVES, "deadline": DEADLINE}, "here")
    settings.refuse_late(DEADLINE.timestamp() - 1)
    with pytest.raises(PluginError, match="the deadline was 2026-12-18 23:59 UTC\\+01:00"):
        settings.refuse_late(DEADLINE.timestamp() + 1)
    make_settings(LIVES, "here").refuse_late()


def test_a_deadline_has_a_time_zone() -> None:
    with pytest.raises(ConfigError, match="deadline"):
        make_settings({**LIVES, "deadline": datetime(2026, 12, 18)}, "here")


def test_every_setting_is_in_the_template() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")
    missing = [key for key in Settings.__struct_fields__ if f"{key} =" not in text and f"[{key}]" not in text]
    assert missing == ["games", "variants"]  # written for each league


def test_the_template_has_the_defaults() -> None:
    lines = TEMPLATE.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line.removeprefix("#") for line in lines if not line.startswith("# "))
    text = text.partition("[submitters]")[0] + '[[variants]]\nname = "lives"'
    examples = ("max_bots = 3", "public_top = 10", "deadline = 2026-12-18T23:59:00+01:00")
    for example in ('adjust = "luck"', *examples):
        text = text.replace(example, "")
    assert parse_settings(text, "here") == make_settings(LIVES, "here")


def test_a_league_whose_people_were_rated_opens() -> None:
    table = {"rate_people": True, "variants": [{"name": "lives", "players": [2]}]}
    assert "rate_people" not in make_settings(table, "it").toml()


def test_text_of_settings_is_read_back() -> None:
    table: dict[str, object] = {"title": "Ours", "submitters": {"ann": ["ann-*"]}, "limits": {"faults": 2}}
    table |= {"max_bots": 2, "show_authors": True, "deadline": DEADLINE}
    settings = make_settings(
        {**table, "variants": [{"name": "lives", "players": [3, 4], "tokens": 2}]}, "here"
    )
    assert parse_settings(settings.toml(), "there") == settings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"precison": 3}, "precison: there is no such key; the nearest is"),
        ({"precision": 0.1}, "precision must be "),
        ({"blocks": 0}, "blocks must be 1 or more, not 0"),
        ({"limits": {"fault": 1}}, "limits.fault: there is no such key"),
        ({"limits": {"precision": 1}}, "limits.precision: precision belongs above the first [table]"),
        (
            {"variants": [{"name": "lives", "precision": 25}]},
            "variants[0].precision: precision belongs above the first [table]",
        ),
        (
            {"submitters": {"ann": ["ann"], "blocks": 300}},
            "submitters.blocks: blocks belongs above the first [table]",
        ),
        ({"variants": {"name": "lives"}}, "variants: write [[variants]], with two brackets"),
        ({"isolation": "none"}, "isolation must be one of"),
        ({"variants": []}, "variants: the array is empty"),
        ({"variants": [{"name": "lives", "players": 90}]}, "cannot be dealt to 90"),
        ({"variants": [{"name": "lives", "blocks": 9}]}, "variants[0].blocks: is for a round robin"),
        ({"variants": [{"name": "lives"}, {"name": "lives"}]}, "lives with 4 players is listed twice"),
        ({"title": "a\x1b[31m"}, "characters that do not print"),
        ({"submitters": {"a/b": ["x"]}}, "is not the name of a folder"),
    ],
)
def test_wrong_settings_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        make_settings({**LIVES, **change}, "league.toml")
    assert str(error.value).startswith("league.toml: ")
    assert message.partition("; the nearest")[0] in str(error.value)
