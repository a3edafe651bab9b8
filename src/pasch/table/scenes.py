"""Positions for the drawings of the rules: `pasch/texts/scenes.toml`, played by the rules themselves."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from pasch.core.registry import AnyGame, find_game
from pasch.table.again import replay
from pasch.table.log import Agreement, Chair, Course, play

#: who plays in the examples of the rules
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fee")


@cache
def _written() -> dict[str, Any]:
    return tomllib.loads(resources.files("pasch").joinpath("texts", "scenes.toml").read_text("utf-8"))


def scenes(game: AnyGame, language: str) -> list[dict[str, Any]]:
    """The drawings of a game's rules: where they stand, what they say, and the last position of each."""
    return [_scene(game.id, scene, language) for scene in _written().get(game.id, ())]


def _scene(game: str, scene: dict[str, Any], language: str) -> dict[str, Any]:
    agreed = find_game(game).agree(scene["players"], scene.get("options"))
    agreement = Agreement(
        game=game,
        options=agreed.options.json(),
        chairs=tuple(Chair(kind="here", name=name) for name in NAMES[: scene["players"]]),
        coach="off",
        dice="real",
        made=0,
        watch="",
        maker="",
    )
    course = Course("rules", agreement, agreed)
    for line in scene["events"]:
        course.add(play(course.standing, agreed.read_event(json.loads(line))))
    shown = replay(course)
    rolls = [roll for event in course.events if (roll := getattr(event, "roll", None))]
    return {
        "section": scene["section"],
        "caption": scene[language],
        "table": shown["table"],
        # what was rolled is shown although it has been used
        "recent": shown["events"][-2:],
        "roll": rolls[-1] if scene.get("dice") else None,
        "position": shown["positions"][-1],
    }
