"""The form to sit down at a table: the games and bots that can be chosen, and the choices made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from arena.errors import ArenaError, ConfigError, InvalidRules
from arena.games import VARIANTS, Rules, variant
from arena.interactive.seated_match import DEFAULT_PLAYERS, Opponent
from arena.interactive.session import SeriesSetup
from arena.output.tables.games import split_rules
from arena.output.words.cards import list_examples
from arena.output.words.family_text import get_family_text
from arena.play import play_match
from arena.play.isolation import LevelSelector
from arena.plugins import BotSpec, InstalledBot, check_supported
from arena.plugins.bot_source import BotSource
from arena.plugins.sources import bot_entry_points
from arena.tournament.setup.command_line import read_ladder

if TYPE_CHECKING:
    from arena.league.folder import LeagueFolder

NO_RIVAL: Final = "nobody"
USUAL_STRENGTH: Final = "even"
DECISION_S: Final = 6.0
"""Seconds that a person takes for a decision, on average."""
MAX_PICTURE_CARDS: Final = 4
STRONGEST: Final = "expert"
"""The built-in bot that a person is compared with, where it is installed."""
STRENGTHS: Final[Mapping[str, Sequence[str]]] = {"easy": (), "even": (), "expert": (STRONGEST,)}
"""Bots by the strength that a person asks for, where they are the same at all games."""
MAX_OPPONENT_FIELDS: Final = 3
MAX_DIGITS: Final = 9
MAX_BOTS_REMEMBERED: Final = 1000
"""Bots whose declared games are remembered: parsing a large file holds up the whole server."""


@dataclass(frozen=True)
class BotChoices:
    """The bots that a person can sit down against: built-in ones, and those admitted to a league.

    Args:
        league: The league whose bots can be chosen, if one is served.
        built_in_level: Isolation level of built-in bots: `auto` for this process.
    """

    league: LeagueFolder | None = None
    built_in_level: str = "process"

    @cached_property
    def built_in(self) -> Mapping[str, BotSpec]:
        """The built-in bots by name."""
        sources = [InstalledBot.parse(point.name, Path()) for point in bot_entry_points()]
        return {str(source): BotSpec(source, str(source)) for source in sources if source.kind == "built-in"}

    def admitted(self) -> dict[str, BotSpec]:
        """Return the current versions of the bots admitted to the league now, by name."""
        if self.league is None:
            return {}
        from arena.league.field import bot_spec  # here: a browser has no leagues
        from arena.league.results import LeagueResults, PublicView

        with LeagueResults.open(self.league.path) as results:
            view = PublicView(results, results.settings.public_top)
            rated = results.field.rated
            entries = [entry for entry in rated if not entry.is_ghost and view.is_shown(entry.bot)]
            opponents = {}
            for entry in entries:
                try:
                    spec = bot_spec(self.league, entry)
                    opponents[entry.name] = msgspec.structs.replace(spec, name=entry.name)
                except ArenaError:  # its files are gone: an update reports it
                    continue
            return opponents

    def all(self) -> dict[str, BotSpec]:
        """Return all bots by name; one of the league hides a built-in bot of its name."""
        return {**self.built_in, **self.admitted()}

    def seat(self, bot: BotSpec) -> Opponent:
        """Return a bot with its isolation level."""
        requested = self.built_in_level if bot.source.kind == "built-in" else "auto"
        return Opponent(bot, self._selector.select(bot.source.kind, requested))

    @cached_property
    def _selector(self) -> LevelSelector:
        return LevelSelector()


def read_form(fields: Sequence[tuple[str, str]], choices: BotChoices) -> SeriesSetup:
    """Return what the fields of a form ask for."""
    values = dict(fields)
    rules = variant(values.get("variant", ""))
    bots = choices.all()
    names = [value for name, value in fields if name == "against" and value][:MAX_OPPONENT_FIELDS]
    players = _read_number(values.get("players", ""), min(DEFAULT_PLAYERS, rules.players[-1]), "players")
    if players not in rules.players:
        raise InvalidRules(f"{rules} cannot be dealt to {players}: {rules.explain_player_limit(players)}")
    seat = _read_number(values.get("seat", ""), 0, "seat")
    if not 0 <= seat < players:
        raise ConfigError(f"seat {seat}: the seats of this table are 0 to {players - 1}")
    field = [_find_bot(name, bots, rules) for name in names or _list_bots(values, rules)]
    rival = values.get("rival", "") or suggest_rival(rules, bots)
    return SeriesSetup(
        rules=rules,
        opponents=[choices.seat(field[place % len(field)]) for place in range(players - 1)],
        seat=seat,
        rival=None if rival == NO_RIVAL else choices.seat(_find_bot(rival, bots, rules)),
        may_take_back="practice" in values,
        is_guided="guided" in values,
    )


def _list_bots(values: Mapping[str, str], rules: Rules) -> Sequence[str]:
    """Return the names of built-in bots of the strength that a form asks for."""
    strength = values.get("strength") or USUAL_STRENGTH
    if strength not in STRENGTHS:
        raise ConfigError(f"unknown strength {strength[:20]!r}: choose one of the list")
    if strength == "easy":  # the rung of `arena grade` above random play
        return read_ladder().rungs[rules.name][1:2]
    return STRENGTHS[strength] or get_family_text(rules).recommended_bots(rules)


class GameChoice(NamedTuple):
    """A game in the list to choose from: cards of a hand for its picture, and how long a match takes."""

    rules: Rules
    cards: tuple[str, ...]
    minutes: int


@cache
def list_games() -> list[GameChoice]:
    """Return the games of the arena, each with a hand that is dealt and the minutes of a match.

    A match of the usual bots is played: each of their decisions in a seat takes a person some seconds.
    """
    games = []
    for rules in VARIANTS:
        players = min(DEFAULT_PLAYERS, rules.players[-1])
        (bot, *_) = get_family_text(rules).recommended_bots(rules)
        cards = tuple(map(str, rules.match(players, rules.name).deal.hands[0][:MAX_PICTURE_CARDS]))
        record = play_match(rules, [bot] * players, seed="minutes")
        actions = sum([len(deal["actions"]) for deal in record["deals"]])
        games.append(GameChoice(rules, cards, max(1, round(actions / players * DECISION_S / 60))))
    return games


def suggest_rival(rules: Rules, names: Mapping[str, object]) -> str:
    """Return the bot that a person is compared with, if no other is named."""
    return STRONGEST if STRONGEST in names else get_family_text(rules).recommended_bots(rules)[0]


def _find_bot(name: str, bots: Mapping[str, BotSpec], rules: Rules) -> BotSpec:
    """Return a bot by its name: what a client sends is never looked for as a file."""
    if name not in bots:
        raise ConfigError(f"unknown bot {name!r}: choose one of the list")
    bot = bots[name]
    check_supported(bot.name, _read_variants(bot.source), [rules])
    return bot


@lru_cache(MAX_BOTS_REMEMBERED)
def _read_variants(source: BotSource) -> tuple[str, ...]:
    """Return the games that a bot declares; the files of built-in and admitted bots do not change."""
    return source.variants()


def _read_number(text: str, default: int, name: str) -> int:
    if not text:
        return default
    if not (text.isascii() and text.isdigit()):
        raise ConfigError(f"{name}: {text[:20]!r} is not a number")
    if len(text) > MAX_DIGITS:
        raise ConfigError(f"{name}: the number has more than {MAX_DIGITS} digits")
    return int(text)


# --- what the pages show ---


def describe_form(fields: Sequence[tuple[str, str]], choices: BotChoices) -> dict[str, Any]:
    """Return the values of the form's template, with what was chosen before."""
    values = dict(fields)
    against = [value for name, value in fields if name == "against"]
    return {
        "games": list_games(),
        "strengths": list(STRENGTHS),
        "built_in": sorted(choices.built_in),
        "admitted": sorted(choices.admitted()),
        "values": {"variant": "lives", "players": "4", "seat": "0", "strength": USUAL_STRENGTH, **values},
        "against": [*against, "", "", ""][:3],
        "rival": values.get("rival") or suggest_rival(VARIANTS[0], choices.built_in),
        "no_rival": NO_RIVAL,
    }


def describe_game(rules: Rules) -> dict[str, Any]:
    """Return the values of the table's template that depend on the game."""
    text = get_family_text(rules)
    values = text.card_values(rules)
    return {
        "rules": rules,
        "how_to_win": text.how_to_win(rules),
        "lesson": text.lesson,
        "card_help": text.card_help,
        "values": values,
        "examples": () if values else list_examples(rules),
        "clauses": split_rules(rules),
    }


def describe_setup(setup: SeriesSetup, table: str) -> str:
    """Return the settings of a series as JSON for the script of its page; `table` is its address."""
    text = get_family_text(setup.rules)
    fields = {
        "table": table,
        "seat": setup.seat,
        "pack": text.card_pack,
        "goal": text.how_to_win(setup.rules),
        "unit": setup.unit,
        "guide": [text.how_to_win(setup.rules), text.lesson] if setup.is_guided else None,
        "rival": setup.rival.bot.name if setup.rival else None,
    }
    return msgspec.json.encode(fields).decode().replace("<", "\\u003c")
