"""A run's seed that the organiser commits to before the bots are due, and reveals after the run.

The commitment is the SHA-256 of a secret drawn at random. The seed is the SHA-256 of the secret, a line feed
and a text mixed in, both as UTF-8, so that anybody can compute them with `sha256sum`.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec

from arena.errors import ConfigError, StoreError
from arena.tournament.files.run_folder import RunFolder, replace_file

SECRET_BYTES: Final = 32
MAX_MIX_CHARS: Final = 200
"""Maximum length of a text mixed into a seed."""


class CommittedSeed(NamedTuple):
    """A secret that was committed to, and what is mixed in."""

    secret: str
    """Secret in hexadecimal."""
    mix: str = ""
    """A text that nobody could know when the commitment was published, as a randomness beacon's value."""

    @property
    def commitment(self) -> str:
        """The hash that is published before the bots are due."""
        return sha256(self.secret.encode()).hexdigest()

    @property
    def seed(self) -> str:
        """The seed of the run."""
        return sha256(f"{self.secret}\n{self.mix}".encode()).hexdigest()

    def text(self, *, revealed: bool) -> bytes:
        """Return the content of `commitment.json`, before or after the secret is revealed."""
        if not revealed:
            return _format({"commitment": self.commitment})
        return _format(
            {"commitment": self.commitment, "secret": self.secret, "mix": self.mix, "seed": self.seed}
        )


def check_mix(text: str) -> None:
    """Refuse a text to mix in that nobody could copy from a page: with control characters, or overlong.

    Raises:
        ConfigError: For text with characters that do not print, or too many.
    """
    if not text.isprintable():
        raise ConfigError(f"--mix: {text[:MAX_MIX_CHARS]!a} has characters that do not print")
    if not 0 < len(text) <= MAX_MIX_CHARS:
        raise ConfigError(f"--mix: the text must have 1 to {MAX_MIX_CHARS} characters")


def commit(folder: RunFolder) -> str:
    """Draw the secret of a run that is played later, and return its commitment.

    Raises:
        ConfigError: If the folder has one already.
        StoreError: If it cannot be written.
    """
    committed = CommittedSeed(secrets.token_hex(SECRET_BYTES))
    try:
        descriptor = os.open(folder.secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(f"{committed.secret}\n")
            file.flush()
            os.fsync(descriptor)
    except FileExistsError as error:
        raise ConfigError(
            f"{folder.path} has a commitment already: `arena run CONFIG --out {folder.path}` plays its run"
        ) from error
    except OSError as error:
        raise StoreError(f"{folder.secret} cannot be written: {error.strerror}") from error
    with replace_file(folder.commitment) as public:
        public.write(committed.text(revealed=False))
    return committed.commitment


def read_committed(folder: RunFolder, mix: str | None, seed: str) -> CommittedSeed | None:
    """Return the seed that was committed to in a folder; None, if none was.

    Args:
        folder: Folder of the run, which need not exist.
        mix: The text to mix in, if there is one.
        seed: The seed that config and options give; empty without one.

    Raises:
        StoreError: If the secret is not the one of the commitment.
        ConfigError: For another seed beside it, or a text to mix into none.
    """
    if mix is not None:
        check_mix(mix)
    if not folder.secret.exists():
        if mix is None:
            return None
        raise ConfigError("--mix requires a seed that was committed to: name its folder with --out")
    if seed:
        raise ConfigError(
            f"the seed of {folder.path} was committed to: leave it out of the config and the options"
        )
    try:
        committed = CommittedSeed(folder.secret.read_text(encoding="ascii").strip(), mix or "")
        published = msgspec.json.decode(folder.commitment.read_bytes(), type=dict[str, str])
    except (OSError, ValueError) as error:
        raise StoreError(f"the commitment in {folder.path} cannot be read: {error}") from error
    if published.get("commitment") != committed.commitment:
        raise StoreError(f"{folder.secret} is not the secret that {folder.commitment} commits to")
    return committed


def forget_secret(folder: RunFolder) -> None:
    """Remove the file of the secret, which the run's database has from now on."""
    with suppress(OSError):
        folder.secret.unlink()


def _format(fields: dict[str, str]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(fields), indent=2) + b"\n"
