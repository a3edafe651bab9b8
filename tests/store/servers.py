"""Servers as processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path


class Server:
    """A server process on a port of its own; what it logs goes to a file."""

    def __init__(self, store: str, log: Path, lease: float | None = None) -> None:
        self.log = log
        environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        if lease is not None:
            environment["PASCH_LEASE"] = str(lease)
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pasch", "serve", "--port", "0", "--no-open", "--store", store],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**environment, "PYTHONUNBUFFERED": "1"},
            )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if "localhost:" not in said:
            self.end()
            raise RuntimeError(log.read_text())
        self.port = int(said.split("localhost:")[1].split("/")[0])

    def end(self) -> None:
        """Kill it, at any moment, however often."""
        self.process.kill()
        code = self.process.wait()
        assert code in (0, 1, -signal.SIGKILL), f"the server ended with {code}; see {self.log}"
        assert self.process.stdout is not None
        self.process.stdout.close()
