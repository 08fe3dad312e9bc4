"""The starter kit of a league: what a student needs to write, check and hand in a bot."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from shlex import quote
from typing import Any, Final

import msgspec
import tomli_w

from arena import __version__
from arena.game_source_files import list_game_files
from arena.games.option_fields import format_option
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults, PublicView
from arena.league.settings import SETTINGS, Settings, read_settings
from arena.plugins.bot_source import relative_path
from arena.plugins.games import find_places, game_text, trust_options
from arena.plugins.scaffold import make_bot
from arena.tournament.files import ArchivedFile
from arena.tournament.setup.bots import GAMES_FOLDER, house_game_table
from arena.tournament.setup.config import VariantEntry

BOT: Final = "mybot"
PUBLIC_SETTINGS: Final = ("title", "check_matches", "limits", "games", "variants")
MILESTONES: Final = ("random", "prudent", "greedy")
"""Built-in bots to beat, weakest first, where the league has rated none."""
README: Final = """\
# {title}: starter kit

You need Python 3.11 or newer and the arena, version {version} (`arena --version`).
Run the commands in this folder.

```sh
arena {trust}check {bot} --league {settings}
```

`{bot}` is a working bot to start from: rename it (`name` in `{bot}/bot.toml`), and edit `{bot}/bot.py`.
`arena docs writing-a-bot` says what a bot sees and may do. The command above plays your bot at the games of
the league, under its limits, and prints its report card: a bot that fails this check is not admitted.

## Games

{games}

## Limits

{limits}

## Milestones

{milestones}

Compare your bot with the next one:

```sh
{compare}
```

## Hand it in

{hand_in}
"""


def kit_files(folder: LeagueFolder) -> Iterator[ArchivedFile]:
    """Yield the files of the starter kit of a league."""
    settings = read_settings(folder.path)
    with LeagueResults.open(folder.path) as results:
        title = settings.title or results.title
        milestones = _milestones(PublicView(results, settings.public_top))
    yield ArchivedFile("README.md", _readme(title, settings, milestones, folder.path).encode())
    yield ArchivedFile(SETTINGS, _settings_text(title, settings, folder.path).encode())
    for place in find_places(entry.rules for entry in settings.variants):
        home = PurePath(relative_path(place, folder.path))
        for name, path in list_game_files(Path(place)):
            inside = home / name if Path(place).is_dir() else home
            yield ArchivedFile(inside.as_posix(), path.read_bytes())
    if settings.games:
        games = tomli_w.dumps({"games": [house_game_table(game) for game in settings.games]})
        yield ArchivedFile(f"{GAMES_FOLDER}/league.toml", games.encode())
    with tempfile.TemporaryDirectory() as scratch:
        bot = make_bot(BOT, "python", Path(scratch))
        for path in bot.iterdir():
            yield ArchivedFile(f"{BOT}/{path.name}", path.read_bytes())


def _settings_text(title: str, settings: Settings, folder: Path) -> str:
    """Return a league.toml with the games and limits, without what is the organiser's alone."""
    table = {**tomllib.loads(settings.toml(folder)), "title": title}
    public: dict[str, Any] = {key: table[key] for key in PUBLIC_SETTINGS if key in table}
    return f"# For `arena check BOT --league {SETTINGS}`.\n{tomli_w.dumps(public)}"


def _milestones(view: PublicView) -> list[tuple[str, str]]:
    """Return the installed bots that others see in the main ladder, weakest first, with ratings as text."""
    ladder = next(iter(view.ladders.values()), [])
    rated = []
    for row in reversed(ladder):
        entry = view.entry(row.version)
        if "/" not in entry.version.source and entry.bot.state == "active" and row.text_elo is not None:
            bar = "" if row.comparison_error is None else f" ± {row.comparison_error:.0f}"
            rated.append((entry.name, f"{row.short_elo}{bar}"))
    return rated or [(name, "") for name in MILESTONES]


def _readme(title: str, settings: Settings, milestones: Sequence[tuple[str, str]], folder: Path) -> str:
    rated = any(rating for _, rating in milestones)
    lead = "Bots to beat, with their ratings in the league:" if rated else "Bots to beat, the weakest first:"
    listed = "\n".join(f"- `{name}`{f': {rating}' if rating else ''}" for name, rating in milestones)
    return README.format(
        title=title,
        version=__version__,
        bot=BOT,
        trust=trust_options([entry.rules for entry in settings.variants], folder),
        settings=SETTINGS,
        games="\n".join([_game_line(entry, folder) for entry in settings.variants]),
        limits="\n".join(f"- {line}" for line in list_limits(settings)),
        milestones=f"{lead}\n\n{listed}",
        compare="\n".join(_compare_command(entry, milestones[0][0], folder) for entry in settings.variants),
        hand_in=_hand_in(settings),
    )


def _game_line(entry: VariantEntry, folder: Path) -> str:
    sizes, name = " or ".join(map(str, entry.players)), game_text(entry.rules, folder)
    return f"- {entry.rules}, {sizes} players: `arena variants {name}` prints the rules"


def list_limits(settings: Settings) -> list[str]:
    """Return the limits of bots in a league, one a line."""
    limits = settings.limits
    return [
        f"{limits.decision_ms:,} ms for a decision, and {limits.bank_ms:,} ms in a match beyond that",
        f"{limits.start_ms:,} ms to start",
        f"{limits.fuel:,} of fuel for a decision of a WebAssembly module, instead of time, and "
        f"{limits.match_fuel:,} in a match",
        f"{limits.memory_mb:,} MB of memory",
        f"{limits.faults} faults in a match; after them the arena plays for your bot until the match ends",
    ]


def _compare_command(entry: VariantEntry, opponent: str, folder: Path) -> str:
    options = msgspec.to_builtins(entry.options)
    chosen = "".join(f" --set {quote(f'{key}={format_option(value)}')}" for key, value in options.items())
    game = game_text(entry.rules, folder)
    return f"arena compare {BOT} {opponent} --game {game} --players {entry.players[0]}{chosen}"


def _hand_in(settings: Settings) -> str:
    where = "inbox/YOURNAME/" if settings.submitters else "inbox/"
    lines = [f"Copy the whole folder of your bot into `{where}` of the league."]
    if settings.submitters:
        lines.append("The name in `bot.toml` must be one that your organiser allows you.")
    lines.append("The next update checks it. If it is rejected, `NAME.rejected.txt` beside it says why.")
    return "\n".join(lines)
