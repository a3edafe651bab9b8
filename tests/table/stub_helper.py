"""A helper process for the tests (`python -m tests.table.stub_helper`): it does what it is told, as long as told."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from pasch.table.helper_protocol import answer_requests


def echo(request: dict[str, Any]) -> Any:
    """What was given, and the process that answers."""
    return [request["say"], os.getpid()]


def hang(request: dict[str, Any]) -> Any:
    """Never answer."""
    while True:
        time.sleep(60)


def die(request: dict[str, Any]) -> Any:
    """End without a word."""
    os._exit(1)


def lack(request: dict[str, Any]) -> Any:
    """Say that something has to be built first, until it is."""
    return "there" if Path(request["file"]).exists() else None


def build(request: dict[str, Any]) -> Any:
    """Build it."""
    Path(request["file"]).write_text(request["for"], "utf-8")
    return True


if __name__ == "__main__":
    answer_requests({f.__name__: f for f in (echo, hang, die, lack, build)}, sys.stdin, sys.stdout)
