"""Signatures of seals, made and checked by `ssh-keygen` of OpenSSH 8.0 or later with anybody's SSH key."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Final

from arena.errors import ArenaError, RecordError

NAMESPACE: Final = "arena-seal"
"""Domain of the signatures, so that one made for something else is none of a seal."""
SIGNER: Final = "organiser"
PROGRAM: Final = "ssh-keygen"


def sign(data: bytes, key: Path) -> bytes:
    """Return a signature of `data`.

    Args:
        data: The seal.
        key: File of a private SSH key, or of the public key of one that an agent holds.

    Raises:
        ArenaError: If it cannot be signed.
    """
    done = _run(["-Y", "sign", "-q", "-f", str(key), "-n", NAMESPACE], data)
    if done.returncode or not done.stdout.startswith(b"-----BEGIN SSH SIGNATURE-----"):
        raise ArenaError(f"{PROGRAM} could not sign with {key}: {_reason(done)}")
    return done.stdout


def check_signature(data: bytes, signature: bytes, signer: Path | None) -> str:
    """Check a signature, and return the fingerprint of the key that made it.

    Args:
        data: The signed bytes.
        signature: As `sign` returned it.
        signer: File with the organiser's public key; None accepts any key.

    Raises:
        RecordError: If the signature is wrong or of another key.
    """
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "signature")
        file.write_bytes(signature)
        options = ["-n", NAMESPACE, "-s", str(file)]
        if signer is None:
            done = _run(["-Y", "check-novalidate", *options], data)
        else:
            allowed = Path(scratch, "allowed")
            allowed.write_text(f"{SIGNER} {_public_key(signer)}\n")
            done = _run(["-Y", "verify", "-f", str(allowed), "-I", SIGNER, *options], data)
    if done.returncode:
        whose = f" by the key in {signer}" if signer else ""
        raise RecordError(f"it is not signed{whose}: {_reason(done)}")
    return done.stdout.decode("utf-8", "replace").strip().rpartition(" ")[2]


def _public_key(path: Path) -> str:
    """Return the type and the key in a public key file.

    Raises:
        RecordError: If there is none.
    """
    try:
        words = path.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read as a public SSH key: {error}") from error
    if len(words) < 2 or not words[0].startswith(("ssh-", "ecdsa-", "sk-")):
        raise RecordError(f"{path} is not a public SSH key; its name mostly ends in .pub")
    return " ".join(words[:2])


def _run(arguments: list[str], data: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run([PROGRAM, *arguments], input=data, capture_output=True, check=False)
    except OSError as error:
        raise ArenaError(f"{PROGRAM} cannot be run: install OpenSSH, 8.0 or later ({error})") from error


def _reason(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"
