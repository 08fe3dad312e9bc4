"""Errors of a process that has too many open files, and what to do about them."""

import errno

OUT_OF_DESCRIPTORS = (errno.EMFILE, errno.ENFILE)
SUGGESTED_DESCRIPTORS = 4096


def is_out_of_descriptors(error: BaseException) -> bool:
    """Return whether an error, or one that led to it, says that no more files can be opened."""
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:
        if isinstance(cause, OSError) and cause.errno in OUT_OF_DESCRIPTORS:
            return True
        seen.append(cause)
        cause = cause.__cause__ or cause.__context__
    return False


def describe_descriptor_limit() -> str:
    """Return how many files this process may open, and how to allow more."""
    try:
        import resource
    except ImportError:  # Windows
        return "lower --jobs"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = hard == resource.RLIM_INFINITY
    more = SUGGESTED_DESCRIPTORS if unlimited else min(hard, SUGGESTED_DESCRIPTORS)
    if soft < more:
        return f"{soft} files may be open here: run `ulimit -n {more}` first, or lower --jobs"
    return f"{soft} files may be open here: close other programs, or lower --jobs"
