"""Finds out which isolation levels are available here, and selects a bot's level."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory

import msgspec

from arena.errors import ConfigError, PluginError
from arena.play.bot import Limits
from arena.play.isolation.bot_users import is_root
from arena.play.isolation.launch import start, stop
from arena.play.isolation.levels import LEVELS, Level
from arena.play.isolation.program_files import EXECUTABLE_PATH, Program
from arena.plugins import BotSource, Kind
from arena.plugins.sources import WASM_PACKAGE, check_wasm_runtime

PROBE_TIMEOUT_S = 20.0
NAMESPACE_SETTINGS = (
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "an AppArmor profile for bwrap (docs/isolation.md)"
        " or sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
    ("user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
)
"""Files under /proc/sys, the values that forbid namespaces, and the remedies."""
INSTALLED: tuple[Kind, ...] = ("built-in", "plug-in")
CONTAINER_FIX = (
    "in a container, start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined;"
    " else see docs/isolation.md"
)


class ProbeResult(msgspec.Struct, frozen=True):
    """True if a level is available."""

    level: Level
    usable: bool
    reason: str = ""
    """Why it is not, in a line."""
    fix: str = ""
    """Remedy that would make the level available, in a line."""


class LevelSelector:
    """Selects levels; each is probed at most once."""

    def __init__(self) -> None:
        self._probed: dict[Level, ProbeResult] = {}

    def select(self, origin: Kind, requested: str) -> Level:
        """Return the level for a bot of this origin.

        `auto` is `inline` for a built-in bot, `process` for an installed plug-in, and the strongest available
        level for all others; so is `wasm` for what is no WebAssembly module.

        Raises:
            ConfigError: For a level that is not available, saying why and what would help.
        """
        if requested != "auto" and LEVELS[requested].kinds and origin not in LEVELS[requested].kinds:
            requested = "auto"
        if requested == "auto":
            if origin == "built-in":
                return "inline"
            if origin == "plug-in":
                return self._first_usable(["process"])
            weakest_first = [
                level.name for level in LEVELS.values() if level.has_process or origin in level.kinds
            ]
            return self._first_usable(weakest_first[::-1])
        if requested == "inline" and origin == "command":
            raise ConfigError(
                "isolation 'inline' is for classes: a command has a process of its own; ask for 'process'"
            )
        if requested == "inline" and origin == "module":
            raise ConfigError(
                "isolation 'inline' is for classes: a WebAssembly module is confined there; ask for 'wasm'"
            )
        return self._first_usable([LEVELS[requested].name])

    def select_confirmed(self, bot: str, origin: Kind, requested: str, confirmed: str | None) -> Level:
        """Return what `select` does, unless `refuse_unconfirmed` refuses it.

        Raises:
            ConfigError: For a level that is not available or needs the user's word.
        """
        level = self.select(origin, requested)
        self.refuse_unconfirmed(bot, origin, level, confirmed)
        return level

    def refuse_unconfirmed(self, bot: str, origin: Kind, level: str, confirmed: str | None) -> None:
        """Refuse to run a bot with the user's rights only because a config or a run's folder says so.

        Args:
            bot: The bot's name.
            origin: Its kind: installed bots are trusted at any level.
            level: The level in the config or folder.
            confirmed: The level that the user has asked for, on the command line or in code; None for none.

        Raises:
            ConfigError: Unless the level is confirmed, confines the bot, or is the strongest one here.
        """
        if level == "auto" or LEVELS[level].is_confined or origin in INSTALLED or level == confirmed:
            return
        if not LEVELS[level].has_process or level != self.select(origin, "auto"):
            raise ConfigError(
                f"isolation: {bot} would run with your rights, since the config or run asks for {level!r}; "
                f"if you trust the code of its bots, add --isolation {level}"
            )

    def refuse_confinement(self, bot: str, source: BotSource, level: Level) -> None:
        """Refuse to confine a bot that cannot play so.

        Raises:
            ConfigError: If the bot declares that it needs more than the level gives it.
        """
        if source.needs_process and LEVELS[level].is_confined:
            raise ConfigError(
                f"isolation: {bot} needs 'process', where it has your rights, as its bot.toml says; if you "
                "trust its code, add --isolation process"
            )

    def _first_usable(self, levels: Sequence[Level]) -> Level:
        for level in levels:
            if level not in self._probed:
                self._probed[level] = probe(level)
            if self._probed[level].usable:
                return level
        failed = self._probed[levels[0]]
        raise ConfigError(f"isolation {failed.level!r} is not available here: {failed.reason}; {failed.fix}")


def probe(level: Level) -> ProbeResult:
    """Try a level. This takes tens of milliseconds, so keep the result."""
    if LEVELS[level].kinds:
        return _probe_wasm(level)
    if not LEVELS[level].has_process:
        return ProbeResult(level, True)
    for tool, package in LEVELS[level].tools.items():
        if shutil.which(tool, path=EXECUTABLE_PATH) is None:
            return ProbeResult(level, False, f"there is no program {tool}", f"install the package {package}")
    failure = _run_canary(level) and _run_canary(level)  # something may have ended the first
    return ProbeResult(level, False, failure, _find_fix(failure)) if failure else ProbeResult(level, True)


def _probe_wasm(level: Level) -> ProbeResult:
    try:
        check_wasm_runtime()
    except PluginError:
        return ProbeResult(
            level, False, f"the package {WASM_PACKAGE} is missing", "pip install 'commerce-arena[wasm]'"
        )
    return ProbeResult(level, True)


def _run_canary(level: Level) -> str:
    """Return what the probe could do at the level and should not, or why it did not start; else nothing."""
    with TemporaryDirectory(prefix="arena-probe-") as folder:
        secret = Path(folder, "secret")
        secret.write_text("of somebody else")
        Path(folder).chmod(0o755)
        arguments = (str(secret),) if LEVELS[level].is_confined else ()
        program = Program(home=Path(__file__).parent, module="probe_program", arguments=arguments)
        try:
            process = start(level, program, Limits())
        except OSError as error:
            return str(error)
        try:
            out, err = process.communicate(timeout=PROBE_TIMEOUT_S)
        except TimeoutExpired:
            return f"the probe did not finish in {PROBE_TIMEOUT_S:g} s"
        finally:
            stop(process)
    lines = (out or err).decode(errors="replace").strip().splitlines()
    if not lines:
        return f"the probe ended at once, with status {process.returncode}"
    return "" if lines[-1] == "confined" else lines[-1]


def _find_fix(failure: str) -> str:
    """Return what to do about a failure, as far as its text and the machine's settings tell."""
    if "landlock" in failure:
        return "a kernel from 5.13 on with Landlock turned on (lsm=landlock,… on its command line)"
    if "unshare" in failure:
        return "run the arena as a user that is not root, or with a Python and bots outside of closed homes"
    if "Permission denied" in failure and "/" in failure and is_root():
        return "as root, bots run as another user: let others read that file and enter the folders above it"
    if "bwrap" in failure:
        fixes = [fix for name, value, fix in NAMESPACE_SETTINGS if _read_setting(name) == value]
        return fixes[0] if fixes else CONTAINER_FIX
    return "see docs/isolation.md"


def _read_setting(name: str) -> str:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return ""
