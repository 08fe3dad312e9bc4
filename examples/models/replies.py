"""Replies of a model, kept in a folder: written before they are used, and then never asked for again.

`python replies.py FOLDER` prints what the replies in a bot's folder cost, and how often the model was wrong.

Each process appends to a file of its own: the line `{"begun": KEY}` before a call, and the reply after it. A
line that was cut off by a crash is ignored. A file lock guards the looking up, so that no two processes begin
the same call.
"""

import fcntl
import json
import os
import sys
import uuid
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

FILES = "replies-*.jsonl"


class Replies:
    """The replies in a folder; without one they are kept in memory."""

    def __init__(self, folder):
        self.calls, self.cost = 0, 0.0
        self._kept, self._offsets = {}, {}
        self._folder, self._lock, self._file = folder, Lock(), None
        if folder:
            self._guard = os.open(folder / "lock", os.O_RDONLY | os.O_CREAT, 0o644)
            with self._locked():
                self._read(folder)

    def claim(self, key, refuse):
        """Return the reply of a call; None if it is yours to make, unless `refuse(self)` raises."""
        with self._locked():
            if key not in self._kept and self._folder:
                self._read(self._folder)  # what other processes have written
            if key in self._kept:
                return self._kept[key]
            refuse(self)
            self.calls += 1
            self._write({"begun": key})
        return None

    def keep(self, reply):
        """Write a reply, and wait until the disk has it."""
        with self._locked():
            self._kept[reply["key"]] = reply
            self.cost += reply["cost"]
            self._write(reply)
        if self._file:
            os.fsync(self._file.fileno())
        return reply

    @contextmanager
    def _locked(self):
        with self._lock:
            if self._folder:
                fcntl.flock(self._guard, fcntl.LOCK_EX)
            try:
                yield
            finally:
                if self._folder:
                    fcntl.flock(self._guard, fcntl.LOCK_UN)

    def _write(self, line):
        if not self._folder:
            return
        if self._file is None or self._file.tell() > 32 << 20:  # a bot may write 64 MiB into a file
            path = self._folder / f"replies-{uuid.uuid4().hex[:12]}.jsonl"
            self._file = path.open("ab")
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        self._offsets[self._file.name] = self._file.tell()

    def _read(self, folder):
        for path in sorted(folder.glob(FILES)):
            with path.open("rb") as file:
                file.seek(self._offsets.get(str(path), 0))
                whole, newline, _ = file.read().rpartition(b"\n")
            self._offsets[str(path)] = self._offsets.get(str(path), 0) + len(whole) + len(newline)
            for line in whole.splitlines():
                entry = json.loads(line)
                if "begun" in entry:
                    self.calls += 1
                else:
                    self._kept[entry["key"]] = entry
                    self.cost += entry["cost"]

    def summary(self):
        """Return the calls, their cost, and the wrong answers by reason, as a dict."""
        kept = list(self._kept.values())
        tokens = [sum(reply["tokens"][part] for reply in kept) for part in (0, 1)]
        wrong = Counter(reply["wrong"] for reply in kept if reply["wrong"])
        return {
            "calls": self.calls,
            "replies": len(kept),
            "tokens": tokens,
            "cost": self.cost,
            "wrong": wrong,
        }


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit("usage: python replies.py FOLDER, such as results/models/kept/qwen-1a2b3c4d")
    kept = Path(sys.argv[1])
    if not any(kept.glob(FILES)):
        raise SystemExit(f"no replies are kept in {kept}: FOLDER is kept/NAME-HASH in the folder of a run")
    sys.stdout.write(json.dumps(Replies(kept).summary(), indent=2) + "\n")
