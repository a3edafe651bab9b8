"""Tables at which nobody sits, for positions that are only drawn: of rules, lessons and puzzles."""

from __future__ import annotations

import json
from typing import Any, Final

from pasch.core.game import Game
from pasch.core.registry import AnyGame, find_data, find_game
from pasch.core.texts import translated
from pasch.table.log import Agreement, Chair, LiveTable, event_json
from pasch.table.replay import position_of

#: who plays in examples
NAMES: Final = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fee")


def example_table(name: str, game: Game[Any, Any], you: int | None = None) -> LiveTable:
    """A table before its first event.

    The seat `you` is the reader's and the others are computers; without it people sit everywhere.
    """
    chairs = tuple(
        Chair(kind="here", name="" if seat == you else named)
        if you is None or seat == you
        else Chair(kind="computer", name=named, level="greedy")
        for seat, named in enumerate(NAMES[: game.players])
    )
    agreement = Agreement(
        game=game.id,
        options=game.options.json(),
        chairs=chairs,
        coach="off",
        dice="real",
        made=0,
        watch="",
        maker="",
    )
    return LiveTable(name, agreement, game)


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
