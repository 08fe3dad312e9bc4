"""A cluster of SLURM on this machine: one controller and one node, both on loopback, without munge."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Self

CONFIG = """\
ClusterName=arena
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1
MpiDefault=none
NodeName=localhost CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
START_S = 60
END_S = 300
PROGRAMS = ("slurmctld", "slurmd", "sbatch")


def is_slurm_installed() -> bool:
    """Return whether this machine has all programs of SLURM, and this user may start them."""
    return all(map(shutil.which, PROGRAMS)) and os.geteuid() == 0


class SlurmCluster:
    """A cluster that lives as long as its context, with its files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._resources = ExitStack()
        self._jobs: list[str] = []
        for name in ("state", "spool"):
            (folder / name).mkdir()
        ports = dict(zip(("controller_port", "node_port"), free_ports(2), strict=True))
        config = folder / "slurm.conf"
        config.write_text(CONFIG.format(user=getpass.getuser(), folder=folder, **ports))
        self._environment = {**os.environ, "SLURM_CONF": str(config)}

    def __enter__(self) -> Self:
        for command in (["slurmctld", "-D"], ["slurmd", "-D", "-N", "localhost"]):
            process = subprocess.Popen(
                command,
                env=self._environment,
                stdout=subprocess.DEVNULL,
                stderr=self._resources.enter_context((self._folder / f"{command[0]}.log").open("w")),
            )
            self._resources.callback(process.wait)
            self._resources.callback(process.terminate)
        return self

    def __exit__(self, *_: object) -> None:
        self._resources.close()

    def submit(self, script: Path) -> None:
        """Run a script that submits jobs, once the controller answers."""
        deadline = time.monotonic() + START_S
        while self._run("scontrol", "ping").returncode:
            assert time.monotonic() < deadline, (self._folder / "slurmctld.log").read_text()
        self._call("sh", str(script))

    def wait(self) -> None:
        """Wait until all jobs have ended, by a job that runs after them."""
        self._call(
            "sbatch",
            "--wait",
            "--dependency=singleton",
            "--job-name=arena-cup",
            "--output=/dev/null",
            "--wrap=true",
        )

    def _call(self, *command: str) -> None:
        ended = self._run(*command)
        assert ended.returncode == 0, ended.stderr

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=END_S)


def free_ports(number: int) -> list[int]:
    """Return ports of the loopback address that nobody listens at."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for opened in sockets:
            opened.bind(("127.0.0.1", 0))
        return [opened.getsockname()[1] for opened in sockets]
