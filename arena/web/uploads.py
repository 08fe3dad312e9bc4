"""Reading what is handed in from a request: a file, the files of a folder, an archive, or text."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import PurePath
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.league.accounts import MAX_FILE_CHARS, Suffix
from arena.league.inbox_scan import printable
from arena.plugins.manifest import MANIFEST
from arena.plugins.submissions.bot_files import MAX_BOT_BYTES, MAX_BOT_FILES

MAX_TEXT_BYTES: Final = 1 << 20
ZIP_START: Final = b"PK\x03\x04"
OLDEST: Final = (1980, 1, 1, 0, 0, 0)
"""Date of files in an archive that the server makes: the same files are the same bytes."""
NOT_A_BOT: Final = (
    "neither a Python file, whose name ends in .py, nor a zip archive, whose name ends in .zip: hand in one "
    "of these, or a folder with a bot.toml."
)
EXPECTED: Final = "Hand in a Python file, a zip archive, the files of a folder, or code as text."


class Upload(NamedTuple):
    """Content of a hand-in, of which only the first bytes of an archive are looked at here."""

    name: str
    """Name of the bot; empty if none was given."""
    suffix: Suffix
    payload: bytes
    file: str = ""
    """Name of the file, archive or folder; empty for text and bytes without one."""
    asks: bool = False
    """True if a person is at a page, to confirm the name of the bot."""


async def read_upload(request: Request) -> Upload:
    """Return what a request hands in: a form, or one file as its body.

    Raises:
        HTTPException: 400 for anything else.
    """
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        upload = await _read_form(request)
    else:
        payload = await request.body()
        upload = Upload(request.query_params.get("name", ""), _suffix_of(payload), payload)
    if not upload.payload.strip():
        raise HTTPException(400, EXPECTED)
    if len(upload.payload) > MAX_BOT_BYTES:
        raise HTTPException(413, f"A bot has at most {MAX_BOT_BYTES >> 20} MiB.")
    return upload


async def _read_form(request: Request) -> Upload:
    form = await request.form(max_files=MAX_BOT_FILES, max_fields=8, max_part_size=MAX_TEXT_BYTES)
    try:
        name, code = str(form.get("name", "")).strip(), str(form.get("code", ""))
        asks = "asks" in form
        sent = [file for file in form.getlist("bot") if isinstance(file, UploadFile) and file.filename]
        files = [(file.filename or "", await file.read()) for file in sent]
    finally:
        await form.close()
    if code.strip() and files:
        raise HTTPException(400, "Hand in files or code, not both.")
    if code.strip():
        return Upload(name, ".py", code.replace("\r\n", "\n").encode(errors="replace"), "", asks)
    if len(files) == 1 and "/" not in files[0][0]:
        file, payload = files[0]
        return Upload(name, _suffix_of_file(file, payload), payload, file, asks)
    if not files:
        raise HTTPException(400, EXPECTED)
    folders = {path.partition("/")[0] if "/" in path else "" for path, _ in files}
    folder = folders.pop() if len(folders) == 1 else ""
    return Upload(name, ".zip", await run_in_threadpool(pack_files, files), folder, asks)


def _suffix_of_file(file: str, payload: bytes) -> Suffix:
    """Return the suffix of a file that was sent with its name.

    Raises:
        HTTPException: 400 for a file of another kind.
    """
    name, kind = printable(file)[:MAX_FILE_CHARS], PurePath(file).suffix.lower()
    if file == MANIFEST:
        raise HTTPException(400, f"{name} is without the other files of its bot: hand in its whole folder.")
    if kind not in (".py", ".zip"):
        raise HTTPException(400, f"{name} is {NOT_A_BOT}")
    suffix = _suffix_of(payload)
    if kind == ".zip" != suffix:
        raise HTTPException(400, f"{name} is not a zip archive, though its name ends in .zip: pack it again.")
    return suffix


def _suffix_of(payload: bytes) -> Suffix:
    return ".zip" if payload.startswith(ZIP_START) else ".py"


def pack_files(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Return files as a zip archive: the same names and bytes give the same archive.

    The names are only data here; the check looks at them.

    Raises:
        HTTPException: 400 for a name that no archive can have.
    """
    packed = BytesIO()
    try:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, content in sorted(files):
                archive.writestr(zipfile.ZipInfo(name, OLDEST), content)
    except (ValueError, OverflowError, zipfile.LargeZipFile) as error:
        raise HTTPException(400, "A file has a name that is too long.") from error
    return packed.getvalue()
