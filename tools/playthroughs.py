"""Golden games that a person can read: one per game and variant.

`make playthroughs` plays new ones and writes them. The tests only replay the events that stand in the
files and compare every line, so that no test depends on what a generator happens to roll.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pasch import CHANCE, Match, find_game
from pasch.core.chance import derive, seed_key
from pasch.players.base import player
from pasch.terminal.board import find_board

FOLDER = Path(__file__).parents[1] / "tests" / "playthroughs"
#: of the last moves of each phase
MAX_LABELS = 12

#: file name, game, players, options: short games, every variant once
VARIANTS: tuple[tuple[str, str, int, dict[str, Any]], ...] = (
    ("crowns-two", "crowns", 2, {}),
    ("crowns-split", "crowns", 2, {"split": True}),
    ("crowns-solo", "crowns", 1, {}),
    ("crowns-solo-two", "crowns", 1, {"solo_minimum": 2}),
    ("joker1", "joker1", 2, {"rounds": 4}),
    ("joker1-busts", "joker1", 2, {"rounds": 4, "first_six": "busts"}),
    ("joker2-used", "joker2", 2, {"rounds": 3, "five_dice": "bust"}),
    ("joker2-pushed", "joker2", 2, {"rounds": 3, "five_penalty": "pushed", "five_dice": "bust"}),
    ("joker2-always", "joker2", 2, {"rounds": 3, "five_dice": "always"}),
    ("lines-1", "lines", 2, {"plans": [1], "target": 2}),
    ("lines-2", "lines", 2, {"plans": [2], "target": 2}),
    ("lines-3", "lines", 2, {"plans": [3], "target": 2}),
    ("lines-4", "lines", 2, {"plans": [4], "target": 1}),
    ("lines-cycle", "lines", 3, {"plans": [1, 2], "target": 3}),
    ("lines-chosen", "lines", 2, {"plans": [1, 3], "plan_choice": "chosen", "target": 6}),
    ("fiese15", "fiese15", 2, {}),
    ("fiese15-handicap", "fiese15", 3, {"handicap": True}),
    ("fiese15-gambler", "fiese15", 2, {"gambler": True}),
    ("fiese15-handicap-gambler", "fiese15", 2, {"handicap": True, "gambler": True}),
    ("sixbysix", "sixbysix", 3, {"round_limit": 3}),
    ("sixbysix-streets", "sixbysix", 2, {"streets": True, "round_limit": 3}),
)


def play(name: str, game: str, players: int, options: dict[str, Any]) -> Match:
    """A game of the greedy player against itself whose dice follow from the file's name."""
    match = Match(find_game(game).agree(players, options))
    key, greedy = seed_key(name), player("greedy")
    while not match.state.over:
        state = match.state
        if state.actor == CHANCE:
            chance = state.chance()
            match.play(chance.pick(derive(key, len(match), chance.total)))
        else:
            match.play(greedy.choose(state.view(state.actor), NoLuck()))
    return match


class NoLuck:
    """The greedy player draws no lots."""

    def randrange(self, stop: int, /) -> int:
        raise AssertionError("the greedy player drew lots")

    def random(self) -> float:
        raise AssertionError("the greedy player drew lots")


def text(match: Match) -> str:
    """The whole game as text: each event as JSON and in words, with the number of choices and the scores.

    Below it, for each phase, the last position in which a seat chose: as the terminal draws it, and its first moves.
    """
    board = find_board(match.game.id)
    lines = [
        f"# {match.game.title}, {match.game.players} seats",
        f"# options {json.dumps(match.game.options.json(), ensure_ascii=False)}",
        "# each event as the record writes it, then in words, then how many choices there were",
        "",
    ]
    for number, event in enumerate(match.events, 1):
        before = match.at(number - 1)
        if before.actor == CHANCE:
            chance = before.chance()
            choices = f"chance {chance.cases(event)} in {chance.total}"
        else:
            choices = f"one of {len(before.moves())}"
        lines += [json.dumps(event.json(), ensure_ascii=False), f"    {board.tell(before, event)}"]
        lines += [f"    ({choices}; scores {' '.join(map(str, match.at(number).scores()))})"]
    end = {"scores": match.state.scores(), "winners": match.state.winners()}
    lines += ["", json.dumps(end)]
    states = map(match.at, range(len(match)))
    last_choices = {state.phase: state for state in states if state.actor >= 0}
    for phase, state in last_choices.items():
        labels = [board.label(state, move) for move in state.moves()]
        lines += ["", f"# the last {phase}", str(state), *labels[:MAX_LABELS]]
    return "\n".join(lines) + "\n"


def replay(written: str, game: str, players: int, options: dict[str, Any]) -> Match:
    """The match of a golden file."""
    events = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    return Match(find_game(game).agree(players, options), events[:-1])


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, game, players, options in VARIANTS:
        path = FOLDER / f"{name}.txt"
        path.write_text(text(play(name, game, players, options)), "utf-8")
        print(f"{path.relative_to(FOLDER.parents[1])}")


if __name__ == "__main__":
    main()
