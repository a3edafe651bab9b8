"""Colours follow the chosen theme."""

from __future__ import annotations

from pasch.core.registry import find_file, game_ids
from pasch.web.files import STATIC


def test_no_style_sheet_asks_the_system_for_its_colours() -> None:
    """What asks for `prefers-color-scheme` keeps the system's colours whatever is chosen; `light-dark()` does not."""
    sheets = [
        *STATIC.glob("css/*.css"),
        *filter(None, (find_file(game, "board.css") for game in game_ids())),
    ]
    assert len(sheets) > 5
    assert not [str(sheet) for sheet in sheets if "prefers-color-scheme" in sheet.read_text("utf-8")]
