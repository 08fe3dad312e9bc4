"""A process that is killed while it has a semaphore."""

import os
import signal
from multiprocessing.resource_tracker import register

register(f"/arena-test-{os.getpid()}", "semaphore")
print("registered", flush=True)  # noqa: T201
os.kill(os.getpid(), signal.SIGKILL)
