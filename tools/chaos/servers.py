"""Servers as processes, each with a supervisor that restarts it when it exits on its own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.chaos.server import INJECTED

#: a table that was written while the clock was years back is old as soon as the clock is right again
KEEP = "waiting=forever,unfinished=forever"


class Server:
    """`pasch serve` that breaks on demand and keeps its port when it restarts."""

    def __init__(self, log: Path, variables: Mapping[str, str], *words: str) -> None:
        self._log = log
        self._variables = variables
        self._words = words
        self.port = 0
        #: its exit codes when it exited on its own; negative: killed by this signal
        self.codes: list[int] = []
        self._process: subprocess.Popen[str] | None = None
        self._supervisor: asyncio.Task[None] | None = None

    @property
    def process(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        hidden = ("DISPLAY", "WAYLAND_DISPLAY")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        command = [sys.executable, "-m", "tools.chaos.server", "serve", "--no-open"]
        with self._log.open("ab") as log:
            process = self._process = subprocess.Popen(
                [*command, "--keep", KEEP, "--port", str(self.port), *self._words],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**environment, "PYTHONUNBUFFERED": "1", **self._variables},
            )
        assert process.stdout is not None
        said = await asyncio.to_thread(process.stdout.readline)
        if self._process is not process:
            return  # killed meanwhile
        if "localhost:" not in said:
            raise RuntimeError("the server does not start:\n" + self._log.read_text()[-2000:])
        self.port = int(said.split("localhost:")[1].split("/")[0])
        if self._supervisor is None:
            self._supervisor = asyncio.create_task(self._supervise())

    async def _supervise(self) -> None:
        while True:
            await asyncio.sleep(0.05)
            if self._process is not None and (code := self._process.poll()) is not None:
                self._process.communicate()
                await self.start()
                self.codes.append(code)

    def check(self) -> None:
        """RuntimeError if the supervisor could not start it again."""
        if self._supervisor is not None and self._supervisor.done():
            self._supervisor.result()

    def kill(self) -> None:
        if self._supervisor is not None:
            self._supervisor.cancel()
            self._supervisor = None
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            if self._process.returncode != -signal.SIGKILL:
                self.codes.append(self._process.returncode)  # it was quicker
            self._process = None

    def signal(self, sign: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(sign)

    @property
    def broke(self) -> str:
        """Crashes and internal errors of the server; empty if there are none, as expected under every fault."""
        lines = self._log.read_text("utf-8", "replace").splitlines()
        wrong = [f"it ended with {code}" for code in self.codes if code != 1]
        if any("Fatal Python error" in line for line in lines):
            wrong += [line for line in lines if not line.startswith("{")]
        traces = [line for line in lines if '"trace"' in line or "Traceback" in line]
        wrong += [line for line in traces if INJECTED not in line]
        return "\n".join(wrong)[:4000]
