"""A bot's use of numpy, of torch and of threads."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from threading import Thread


def main(arguments: list[str]) -> None:
    """Print what the library named computes."""
    (library,) = arguments
    sys.stdout.write({"numpy": with_numpy, "torch": with_torch, "threads": with_threads}[library]())


def with_numpy() -> str:
    import numpy as np

    matrix = np.arange(160_000.0).reshape(400, 400) / 160_000
    return str(np.allclose(matrix @ np.linalg.inv(matrix + np.eye(400)), np.eye(400), atol=1e3))


def with_torch() -> str:
    torch = import_module("torch")
    torch.set_num_threads(2)
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
    loss = model(torch.ones(512, 64)).square().mean()
    loss.backward()
    return str(bool(torch.isfinite(loss)))


def with_threads() -> str:
    threads = [Thread(target=time.process_time) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ThreadPoolExecutor(4) as pool:
        return str(sum(pool.map(abs, range(-5, 0))) == 15)
