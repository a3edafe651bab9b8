"""Positions for the drawings in the rules' texts, made by playing the events of a game's `scenes.toml`."""

from __future__ import annotations

import json
from typing import Any

from pasch.core.registry import AnyGame, find_data, find_game
from pasch.core.texts import translated
from pasch.table.example import example_table
from pasch.table.log import event_json
from pasch.table.replay import position_of


def scenes(game: AnyGame, language: str) -> list[dict[str, Any]]:
    """The drawings of a game's rules: where they stand, what they say, and the last position of each."""
    return [
        _scene(game.id, scene, language) for scene in find_data(game.id, "scenes.toml").get("scenes", ())
    ]


def _scene(game: str, scene: dict[str, Any], language: str) -> dict[str, Any]:
    agreed = find_game(game).agree(scene["players"], scene.get("options"))
    live = example_table("rules", agreed)
    for line in scene["events"]:
        live.apply(live.play(agreed.read_event(json.loads(line))))
    rolls = [roll for event in live.events if (roll := getattr(event, "roll", None))]
    return {
        "section": scene["section"],
        "caption": translated(scene["caption"], language, game),
        "table": live.info(),
        # what was rolled is shown although it has been used
        "recent": [event_json(event) for event in live.events[-2:]],
        "roll": rolls[-1] if scene.get("dice") else None,
        "position": position_of(live, live.state, len(live.events)),
    }
