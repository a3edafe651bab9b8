"""The messages of a server, for programs that look at one thing after the other."""

from __future__ import annotations

from typing import Any


def unfolded(message: dict[str, Any]) -> list[dict[str, Any]]:
    """A message of the server; an update as the answer to its author, and one for each of its steps."""
    if message["type"] != "update":
        return [message]
    steps = [
        {"type": "update", "entries": [step["entry"]], "position": step["position"]}
        for step in message["steps"]
    ]
    version = message["steps"][-1]["position"]["version"]
    done = {"type": "accepted", "id": message["answers"], "version": version, "seat": None, "token": None}
    return [done, *steps] if message["answers"] is not None else steps
