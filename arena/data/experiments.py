"""Tournaments, comparisons, gradings and checks started from Python."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from arena.adapters.observation import observe_view
from arena.data.rows import html_table
from arena.data.run_data import RunData
from arena.errors import PluginError
from arena.games import Rules
from arena.output.texts.checks import card_fields, card_text, game_card_fields, game_card_text
from arena.play.faults import summarize_failure
from arena.play.game_conformance import check_game
from arena.plugins import BotSpec, parse_bot
from arena.plugins.sources import bot_entry_points
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import BotCheck, choose_levels, find_startup_errors, run_check
from arena.tournament.files import RunFolder
from arena.tournament.formats.grading import Grading, make_grading_seed
from arena.tournament.formats.paired_design import PairedFormat
from arena.tournament.run import Run
from arena.tournament.schedule import make_seed
from arena.tournament.setup.bots import HouseGames
from arena.tournament.setup.command_line import check_terms, design_table, find_rungs, parse_bot_with_settings
from arena.tournament.setup.config import Config, make_config, read_config

DEFAULT_GAME: Final = "lives"
CHECK_MATCHES: Final = 4
"""Matches of each game in the check of a bot."""
GAME_CHECK_MATCHES: Final = 1000
"""Most matches in the check of a game."""
GAME_CHECK_S: Final = 60.0
"""CPU time of the check of a game without `matches`, in seconds."""


class ExperimentResult:
    """The result of `compare`, `grade` or `check`: `str()` is what the command prints.

    Attributes:
        fields: What the command prints with `--json`, by key; `result["elo"]` is one of them.
        run: The run with all matches; None where none was kept.
    """

    def __init__(self, text: str, fields: dict[str, Any], rows: str = "", run: RunData | None = None) -> None:
        self.fields: Final = fields
        self.run: Final = run
        self._text, self._rows = text, rows

    def __getitem__(self, key: str) -> Any:
        return self.fields[key]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        """Return the result as a table, for a notebook."""
        rows = self.fields[self._rows] if self._rows else []
        if rows:
            return html_table(
                tuple(rows[0]), [tuple(row.values()) for row in rows], self._text.split("\n")[0]
            )
        cells = [
            (key, ", ".join(map(str, value)) if isinstance(value, list | tuple) else value)
            for key, value in self.fields.items()
            if not isinstance(value, Mapping)
        ]
        return html_table(("", ""), cells)


def run_tournament(
    config: Mapping[str, Any] | Path | str, out: Path | str, *, jobs: int = 1, isolation: str | None = None
) -> RunData:
    """Play a tournament and return its run; a run that was stopped is continued by `arena resume`.

    Args:
        config: A table with the keys of a config file, in which paths of bots are relative to the working
            directory, and bots may be classes, as for `compare`; or the path of a config file.
        out: The run's folder, which must be new or empty.
        jobs: Number of worker processes, 1 or more; 1 plays in this process. With more, a script needs
            `if __name__ == "__main__":` around its call.
        isolation: Instead of the config's level of isolation. For bots that are not installed, a config file
            cannot ask for `inline` or `process`, at which they run with your rights; this argument, and a
            table given as `config`, can.

    Returns:
        The run, as `load_run` returns it.

    Raises:
        ConfigError: The config is wrong; the message names the key.
        StoreError: The folder is not empty, or cannot be written.
        PluginError: A bot does not exist.
    """
    changes = {"isolation": isolation} if isolation else {}
    if isinstance(config, Mapping):
        table = {**config, **changes}
        if isinstance(bots := table.get("bots"), list | tuple):
            table["bots"] = [_name_bot(bot) for bot in bots]
        checked = make_config(table, base=Path(), where="the config")
        confirmed: str | None = checked.isolation
    else:
        checked, confirmed = read_config(Path(config), changes), isolation
    levels = choose_levels(checked, confirmed=confirmed)
    run = Run.create(checked, RunFolder.create(Path(out)), levels)
    run.play(RunOptions(jobs=jobs, log_level=logging.WARNING))
    return RunData(run)


def compare(
    *bots: Any,
    game: Rules | str = DEFAULT_GAME,
    players: int | None = None,
    field: Sequence[Any] = (),
    blocks: int = 10_000,
    fixed: bool = False,
    sprt: tuple[float, float] | None = None,
    alone: bool = False,
    rank: bool = False,
    seed: str = "",
    jobs: int = 1,
    isolation: str = "auto",
    out: Path | str | None = None,
) -> ExperimentResult:
    """Find out which of two or more bots is the strongest, as `arena compare` does.

    Args:
        bots: Names as for `arena compare`, tables with settings as in a config, or classes. A class has to be
            at the top of a Python file, which other processes read. An instance stands for its class.
        game: The game, by name or from `arena.variant`.
        players: Seats at the table; None for four, or as close as the game allows.
        field: Bots at whose tables they sit in turn.
        blocks: Most blocks to play.
        fixed: Play all of them, whatever the score is.
        sprt: Elo of the two hypotheses of a sequential test.
        alone: Seat the first bot alone against copies of the second.
        rank: Of three or more bots find the order of all, not the best.
        seed: The same seed plays the same comparison again.
        jobs: Number of worker processes, as for `run_tournament`.
        isolation: Isolation level of the bots.
        out: A new folder to keep the run in.

    Raises:
        ConfigError: The call is wrong.
        PluginError: A bot does not exist or does not start.
        StoreError: The folder is not empty, or cannot be written.

    Example:
        >>> from arena import compare
        >>> result = compare("greedy", "random", game="lives", players=2, seed="any text", blocks=200)
        >>> result["resolved"], result["score"] > 50
        (True, True)
    """
    name, options = _name_game(game)
    specs, seats = list(map(_parse_any_bot, bots)), list(map(_parse_any_bot, field))
    is_pair = len(specs) == 2
    table = design_table("comparison" if is_pair else "selection", specs, seats, name, players, options)
    table |= {} if is_pair else {"goal": "rank" if rank else "best"}
    table |= {"max_blocks": blocks, "fixed": fixed, "alone": alone, "seed": seed, "isolation": isolation}
    table |= {"sprt": list(sprt)} if sprt else {}
    rows = "" if is_pair else "candidates"
    with ExitStack() as stack:
        run = _play(table, seed, jobs, isolation, out, stack)
        format = PairedFormat.of(run.stages)
        return ExperimentResult(format.answer(run), format.fields(run), rows, RunData(run) if out else None)


def grade(
    bot: Any,
    *,
    game: Rules | str | None = None,
    players: int | None = None,
    blocks: int = 1000,
    seed: str = "",
    jobs: int = 1,
    isolation: str = "auto",
    out: Path | str | None = None,
) -> ExperimentResult:
    """Find out how far up the ladder of built-in bots a bot is, as `arena grade` does.

    Args:
        bot: A bot, as for `compare`.
        game: The game; None for the first that the bot declares, or `lives`.
        players: Seats at the table; None for four, or as close as the game allows.
        blocks: Most blocks against each rung.
        seed: Text from which the deals are drawn; without one, the files of the bots.
        jobs: Number of worker processes, as for `run_tournament`.
        isolation: Isolation level of the bots.
        out: A new folder to keep the run in.

    Raises:
        ConfigError: The call is wrong.
        PluginError: The bot does not exist or does not start.
        StoreError: The folder is not empty, or cannot be written.

    Example:
        >>> from arena import grade
        >>> grade("stand-pat", players=2, seed="any text", blocks=6)["variant"]
        'lives'
    """
    spec = _parse_any_bot(bot)
    name, options = _name_game(game or (spec.source.variants() or (DEFAULT_GAME,))[0])
    rungs = find_rungs(HouseGames(folder=Path()).rules(name, options))
    table = design_table("grading", [spec], rungs.others(spec, name), name, players, options)
    table |= {"max_blocks": blocks, "isolation": isolation}
    with ExitStack() as stack:
        run = _play(table, seed, jobs, isolation, out, stack)
        run.scoreboard()  # takes in what is stored
        format = Grading.of(run.stages)
        fields = format.fields(run) | {"ladder": rungs.ladder} | ({} if out else {"folder": None})
        text = format.verdict(run, is_kept=bool(out))
        return ExperimentResult(text, fields, "results", RunData(run) if out else None)


def check(
    bot_or_game: Any, *, games: Sequence[str] = (), matches: int | None = None, isolation: str | None = None
) -> ExperimentResult:
    """Check a bot, or a game given by its rules, as `arena check` does.

    Args:
        bot_or_game: A bot, as for `compare`; or a game from `arena.variant` or `arena.load_game`, whose code
            runs in this process.
        games: Games that the bot is to play; without any all that it supports.
        matches: Matches of each game; without it 4 of a bot, and of a game 1,000 or a minute.
        isolation: Isolation level of a bot; None for that which a tournament would choose.

    Raises:
        PluginError: The bot does not exist or cannot be loaded.
        ConfigError: The isolation level cannot be had.

    Example:
        >>> from arena import check
        >>> card = check("greedy", games=["lives"], matches=1)
        >>> card["ok"], list(card["flaws"])
        (True, [])
    """
    if isinstance(bot_or_game, Rules):
        seconds = None if matches else GAME_CHECK_S
        count = matches or GAME_CHECK_MATCHES
        examined = check_game(bot_or_game, matches=count, seconds=seconds, observe=observe_view)
        return ExperimentResult(game_card_text(examined), game_card_fields(examined), "issues")
    spec = _parse_any_bot(bot_or_game)
    terms = BotCheck(
        spec, *check_terms(spec, None, tuple(games), isolation), matches=matches or CHECK_MATCHES
    )
    findings, source = run_check(terms), spec.source
    card = (spec.name, source.kind, source.digest(), findings)
    return ExperimentResult(card_text(*card, terms.limits, source.beside), card_fields(*card), "games")


def _name_bot(bot: Any) -> Any:
    """Return a bot as a config names it: a class by its entry point, or by its file and name.

    Raises:
        PluginError: It is not a bot, or other processes could not read it.
    """
    if isinstance(bot, str):
        return bot
    if isinstance(bot, Mapping):
        named = _name_bot(bot["bot"]) if "bot" in bot else {}
        return {**bot, "bot": named} if isinstance(named, str) else {**named, **bot, **_source(named)}
    bot_class = bot if isinstance(bot, type) else type(bot)
    name = bot_class.__qualname__
    if not callable(getattr(bot_class, "act", None)):
        raise PluginError(f"{bot!r} is not a bot: give its name, or a class with act(self, view)")
    if bot_class is not bot and getattr(bot, "__dict__", None):
        raise PluginError(
            f"an instance of {name} with attributes of its own plays in play_match alone: give its class, "
            f"with settings as in {{'bot': {name}, 'depth': 3}}"
        )
    for point in bot_entry_points():
        if point.value == f"{bot_class.__module__}:{name}":
            return point.name
    try:
        file = inspect.getsourcefile(bot_class) or ""
    except (OSError, TypeError):  # it was defined at a prompt or in a notebook
        file = ""
    if not (file.endswith(".py") and Path(file).is_file() and name.isidentifier()):
        raise PluginError(
            f"{name} is not a class at the top of a Python file, which other processes can read: save it, as "
            f"in mine.py, and give 'mine.py:{bot_class.__name__}'"
        )
    return {"bot": f"{file}:{name}", "name": name.lower()}


def _source(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what names a bot in its table, if there is such a key."""
    return {key: value for key, value in entry.items() if key == "bot"}


def _parse_any_bot(bot: Any) -> BotSpec:
    """Return a bot that is named by a text, a table with settings, a class or an instance.

    Raises:
        PluginError: It is not a bot, or there is none of that name.
    """
    named = _name_bot(bot)
    return parse_bot_with_settings(named) if isinstance(named, str) else parse_bot(named, Path())


def _name_game(game: Rules | str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options of a game, as a config has them."""
    return (game.name, dict(game.overrides)) if isinstance(game, Rules) else (game, {})


def _play(
    table: Mapping[str, Any],
    seed: str,
    jobs: int,
    isolation: str,
    out: Path | str | None,
    resources: ExitStack,
) -> Run:
    """Play a config in a folder, one that is removed with the resources if none is given."""
    kept = {"replays": 10_000 if out else 0}
    config = make_config({**table, **kept}, base=Path(), where="the call")
    levels = choose_levels(config, confirmed=isolation)
    _refuse_broken(config, find_startup_errors(config, levels))
    folder = Path(out) if out else Path(resources.enter_context(TemporaryDirectory(prefix="arena-")))
    run = Run.create(
        config,
        RunFolder.create(folder),
        levels,
        seed=seed or (make_grading_seed(config) if config.format == "grading" else make_seed()),
    )
    run.play(RunOptions(jobs=jobs, log_level=logging.WARNING))
    return run


def _refuse_broken(config: Config, errors: Mapping[str, str]) -> None:
    """Refuse bots that do not start.

    Raises:
        PluginError: If there are any.
    """
    if errors:
        named = ", ".join(f"{name} ({summarize_failure(error)})" for name, error in errors.items())
        raise PluginError(f"{len(errors)} of {len(config.bots)} bots do not start: {named}")
