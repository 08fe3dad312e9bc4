"""Errors that are the machine's or the network's and not a bot's: later the same attempt may succeed."""

from __future__ import annotations

import errno
from typing import Final

from arena.errors import PluginError

MACHINE_ERRORS: Final = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS),
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
    }
)
"""Numbers of system errors about the disk, the memory and the descriptors of this machine."""


class PackagesUnavailable(PluginError):
    """Packages that cannot be fetched or stored now, as the index or the disk does not answer."""


def find_temporary_error(error: BaseException) -> BaseException | None:
    """Return the temporary error that an error is, or that led to it; None if there is none."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        is_machine = isinstance(cause, OSError) and cause.errno in MACHINE_ERRORS
        if is_machine or isinstance(cause, MemoryError | PackagesUnavailable):
            return cause
        cause = cause.__cause__ or cause.__context__
    return None
