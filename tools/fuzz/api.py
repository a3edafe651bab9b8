"""The HTTP API under schemathesis: a real server and requests that its description allows or forbids."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from pasch.store.sqlite import SqliteStore
from pasch.table.limits import Limits, Rate
from pasch.table.lobby import Lobby
from pasch.web.app import App
from pasch.web.serve import listen

#: what is checked of every answer
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance,negative_data_rejection,unsupported_method,allow_header_conformance"
)
#: how a server may refuse what its description forbids; a body that is too large is refused unread
SETTINGS = """[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
"""
#: schemathesis is faster than any person
FREE = Rate(1e9, 1e9)
NO_LIMITS = Limits(FREE, FREE, FREE, FREE, FREE)


@contextmanager
def served(folder: Path) -> Iterator[int]:
    """A server in a thread of its own; its port."""
    listener = listen("127.0.0.1", 0)
    lobby = Lobby(SqliteStore(folder / "tables.sqlite"), NO_LIMITS)
    app = App(lobby).answering_to()
    server = uvicorn.Server(
        uvicorn.Config(
            app, http="h11", lifespan="off", log_config=None, log_level="error", access_log=False
        )
    )

    async def serve() -> None:
        await lobby.open()
        try:
            await server.serve(sockets=[listener])
        finally:
            await lobby.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def run(examples: int, luck: int, phases: str = "examples,coverage,fuzzing") -> tuple[int, str]:
    """The number of requests, and the problems found, as text."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as port:
        Path(folder, "schemathesis.toml").write_text(SETTINGS)
        command = [sys.executable, "-m", "schemathesis.cli", "run"]
        done = subprocess.run(
            [
                *command,
                f"http://127.0.0.1:{port}/api/openapi.json",
                f"--checks={CHECKS}",
                f"--max-examples={examples}",
                f"--seed={luck}",
                f"--phases={phases}",
                "--generation-database=none",
                # the first puzzle of a game builds its tables, on a machine that may be busy
                "--request-timeout=120",
                "--continue-on-failure",
                "--warnings=off",
                "--no-color",
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
        )
    made = re.search(r"([\d,]+) generated", done.stdout)
    tried = int(made[1].replace(",", "")) if made else 0
    return tried, "" if done.returncode == 0 and tried else done.stdout[-8000:] + done.stderr[-2000:]
