"""An arena for Commerce and its family of card games: the rule book, matches and tournaments of bots.

The public names are resolved when they are first used, so that a command which needs none of them
starts at once.
"""

TYPE_CHECKING = False  # typing could be a file of the folder that `python -m arena` is called in

__version__ = "0.3.0"

__all__ = [
    "VARIANTS",
    "Action",
    "ArenaError",
    "BlockRow",
    "Bot",
    "ConfigError",
    "DealRow",
    "DecisionRow",
    "ExperimentResult",
    "IllegalAction",
    "Info",
    "InvalidNotation",
    "InvalidRules",
    "Match",
    "MatchRow",
    "MissingPackage",
    "PluginError",
    "RatingRow",
    "RecordError",
    "Replay",
    "Rows",
    "Rules",
    "RunData",
    "StoreError",
    "TallyRow",
    "Unavailable",
    "UnknownOption",
    "UnknownVariant",
    "View",
    "check",
    "compare",
    "grade",
    "load_game",
    "load_run",
    "play_match",
    "run_tournament",
    "variant",
]

if TYPE_CHECKING:
    from arena.data import (
        BlockRow,
        DealRow,
        DecisionRow,
        MatchRow,
        RatingRow,
        Replay,
        Rows,
        RunData,
        TallyRow,
        load_run,
    )
    from arena.data.experiments import ExperimentResult, check, compare, grade, run_tournament
    from arena.errors import (
        ArenaError,
        ConfigError,
        IllegalAction,
        InvalidNotation,
        InvalidRules,
        MissingPackage,
        PluginError,
        RecordError,
        StoreError,
        Unavailable,
        UnknownOption,
        UnknownVariant,
    )
    from arena.games import VARIANTS, Action, Match, Rules, View, variant
    from arena.play import Bot, Info, play_match
    from arena.plugins.games import load_game
else:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'arena' has no attribute {name!r}")
        from importlib import import_module

        packages = {
            **dict.fromkeys(("VARIANTS", "Action", "Match", "Rules", "View", "variant"), "games"),
            **dict.fromkeys(("Bot", "Info", "play_match"), "play"),
            **dict.fromkeys(("BlockRow", "DealRow", "DecisionRow", "MatchRow", "RatingRow"), "data"),
            **dict.fromkeys(("Replay", "Rows", "RunData", "TallyRow", "load_run"), "data"),
            "load_game": "plugins.games",
            **dict.fromkeys(("ExperimentResult", "check", "compare", "grade"), "data.experiments"),
            "run_tournament": "data.experiments",
        }
        value = getattr(import_module(f"arena.{packages.get(name, 'errors')}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
