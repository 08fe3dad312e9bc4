"""Bots that were handed in: copied into a store by the hash of their content, and named from there."""

from arena.plugins.submissions.references import is_submitted, store_path, submitted_or_named, with_submitted
from arena.plugins.submissions.store import Submission, SubmissionStore

__all__ = [
    "Submission",
    "SubmissionStore",
    "is_submitted",
    "store_path",
    "submitted_or_named",
    "with_submitted",
]
