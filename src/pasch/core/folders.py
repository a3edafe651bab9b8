"""The folder of the user's own data."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def data_folder(chosen: Path | None = None) -> Path:
    """Where logs, saved games and records are kept: as chosen, else PASCH_DATA, else the system's place."""
    if chosen is not None:
        return chosen
    own = os.environ.get("PASCH_DATA")
    return Path(own) if own else platformdirs.user_data_path("pasch", appauthor=False)
