"""`pasch serve` as a process of its own, for tests, attacks and benchmarks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

PASCH: Final = (sys.executable, "-m", "pasch")
#: variables by which a server would open a browser, or find another log
_HIDDEN: Final = ("DISPLAY", "WAYLAND_DISPLAY", "PASCH_STORE", "PASCH_DATA", "FORWARDED_ALLOW_IPS")


class ServerProcess:
    """A server on a free port that logs to a file; RuntimeError if it does not start."""

    def __init__(self, log: Path, *words: str, pasch: Sequence[str] = PASCH, **variables: str) -> None:
        self.log = log
        environment = {name: value for name, value in os.environ.items() if name not in _HIDDEN}
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                [*pasch, "serve", "--no-open", "--port", "0", *words],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**environment, "PYTHONUNBUFFERED": "1", **variables},
            )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if "localhost:" not in said:
            self.kill()
            raise RuntimeError(f"the server does not start:\n{self.logged[-2000:]}")
        self.port = int(said.split("localhost:")[1].split("/")[0])

    @property
    def logged(self) -> str:
        """What it has logged so far."""
        return self.log.read_text("utf-8", "replace")

    def kill(self) -> None:
        """Kill it, at any moment, however often."""
        self.process.kill()
        self.process.wait()
        # not read to its end: a helper in the middle of a long computation holds it for a while
        assert self.process.stdout is not None
        self.process.stdout.close()
