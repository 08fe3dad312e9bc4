"""Whether a level can be had on this machine, found out by letting a harmless stranger try its doors."""

from __future__ import annotations

import shutil
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory

import msgspec

from arena.play.bot import Limits
from arena.play.isolation.launch import start, stop
from arena.play.isolation.levels import Level
from arena.play.isolation.program import SEARCHED, Program

HERE = Path(__file__).parent
SECONDS = 20.0
TOOLS = dict.fromkeys(("choom", "prlimit", "setpriv", "unshare"), "util-linux") | {"mount": "mount"}
SETTINGS = (
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "an AppArmor profile for bwrap (docs/isolation.md)"
        " or sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
    ("user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
)
"""What may forbid the namespaces of a sandbox: under /proc/sys, with which value, and what allows them."""
IN_CONTAINERS = (
    "in a container, start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined;"
    " else see docs/isolation.md"
)


class ProbeResult(msgspec.Struct, frozen=True):
    """What trying a level showed."""

    level: Level
    usable: bool
    reason: str = ""
    """Why it is not usable, in a line."""
    fix: str = ""
    """What would make it usable, in a line."""


def probe(level: Level) -> ProbeResult:
    """Tries a level. It takes some tens of milliseconds: ask once and keep the answer."""
    if level == "inline":
        return ProbeResult(level, True)
    for tool, package in _tools(level).items():
        if shutil.which(tool, path=SEARCHED) is None:
            return ProbeResult(level, False, f"there is no program {tool}", f"install the package {package}")
    said = _said(level)
    return ProbeResult(level, True) if said == "shut" else ProbeResult(level, False, said, _fix(level, said))


def _tools(level: Level) -> dict[str, str]:
    return TOOLS | {"bwrap": "bubblewrap"} if level == "sandbox" else TOOLS


def _said(level: Level) -> str:
    """What the canary says of the level: the door that it found open, or `shut`, or why it did not start."""
    with TemporaryDirectory(prefix="arena-probe-") as folder:
        secret = Path(folder, "secret")
        secret.write_text("of somebody else")
        Path(folder).chmod(0o755)
        doors = () if level == "process" else (str(secret),)
        program = Program(home=HERE, module="canary", arguments=doors)
        try:
            process = start(level, program, Limits())
        except OSError as error:
            return str(error)
        try:
            out, err = process.communicate(timeout=SECONDS)
        except TimeoutExpired:
            return f"nothing was heard for {SECONDS:g} s"
        finally:
            stop(process)
    said = (out or err).decode(errors="replace").strip().splitlines()
    return said[-1] if said else f"it ended at once, with status {process.returncode}"


def _fix(level: Level, said: str) -> str:
    """What to do about it, as far as the words and the machine tell."""
    if level == "landlock" and "landlock" in said:
        return "a kernel from 5.13 on with Landlock turned on (lsm=landlock,… on its command line)"
    if "unshare" in said:
        return "run the arena as a user that is not root, or with a Python and bots outside of closed homes"
    if level == "sandbox" and "bwrap" in said:
        return next((fix for setting, value, fix in SETTINGS if _setting(setting) == value), IN_CONTAINERS)
    return "see docs/isolation.md"


def _setting(setting: str) -> str:
    try:
        return Path("/proc/sys", setting).read_text().strip()
    except OSError:
        return ""
