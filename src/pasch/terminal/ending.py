"""Scores and results as texts and tables."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from pasch.core.state import State
from pasch.terminal.saved import SavedGame
from pasch.terminal.words import seat_name


def in_words(names: list[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def scores_line(state: State) -> str:
    """All scores in one line."""
    return ", ".join(f"{seat_name(seat)} {score}" for seat, score in enumerate(state.scores()))


def standings(saved: SavedGame) -> Table:
    """A table of seats, players and final scores, the best first."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("")
    table.add_column("played by")
    table.add_column("score", justify="right")
    scores = saved.state.scores()
    for seat in sorted(range(len(scores)), key=lambda seat: -scores[seat]):
        style = "bold" if seat in saved.state.winners() else ""
        who = "you" if saved.header.seats[seat] == "me" else saved.header.seats[seat]
        table.add_row(seat_name(seat), who, str(scores[seat]), style=style)
    return table


def final_words(state: State) -> Text:
    """The sentence that names the winners, or the result of a solitary game."""
    scores = state.scores()
    if len(scores) > 1:
        winners = [seat_name(seat) for seat in state.winners()]
        verb = "wins" if len(winners) == 1 else "share the win"
        return Text(f"{in_words(winners)} {verb}.", style="bold")
    return Text(f"{scores[0]} point{'' if scores[0] == 1 else 's'}.", style="bold")
