"""The settings of a league."""

from datetime import datetime, timedelta, timezone

import pytest

from arena.errors import PluginError
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
