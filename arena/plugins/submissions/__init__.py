"""Submitted bots: copied into a store by the hash of their content, and named from there."""

from arena.plugins.submissions.files import ContentStore, CopiedBot
from arena.plugins.submissions.store import (
    Submission,
    SubmissionStore,
    content_hash,
    default_store,
    find_content,
    is_reference,
    parse_bot_or_reference,
    portable_text,
    resolve_references,
)

__all__ = [
    "ContentStore",
    "CopiedBot",
    "Submission",
    "SubmissionStore",
    "content_hash",
    "default_store",
    "find_content",
    "is_reference",
    "parse_bot_or_reference",
    "portable_text",
    "resolve_references",
]
