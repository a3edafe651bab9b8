"""Scores and results as texts and tables."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from pasch.core.state import State
from pasch.terminal.language import shown, t, tn
from pasch.terminal.saved import SavedGame
from pasch.terminal.words import seat_name


def scores_line(state: State) -> str:
    """All scores in one line."""
    return ", ".join(f"{seat_name(seat)} {shown(score)}" for seat, score in enumerate(state.scores()))


def player_name(who: str) -> str:
    """What the player of a seat is called: `you`, or the name of a computer player."""
    return t("you") if who == "me" else who


def standings(saved: SavedGame) -> Table:
    """A table of seats, players and final scores, the best first."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("")
    table.add_column(t("played by"))
    table.add_column(t("score"), justify="right")
    scores = saved.state.scores()
    for seat in sorted(range(len(scores)), key=lambda seat: -scores[seat]):
        style = "bold" if seat in saved.state.winners() else ""
        table.add_row(
            seat_name(seat), player_name(saved.header.seats[seat]), shown(scores[seat]), style=style
        )
    return table


def final_words(state: State) -> Text:
    """The sentence that names the winners, or the result of a solitary game."""
    scores = state.scores()
    if len(scores) == 1:
        return Text(tn("{n} point.", "{n} points.", scores[0]), style="bold")
    winners = [seat_name(seat) for seat in state.winners()]
    if len(winners) == 1:
        return Text(t("{name} wins.", name=winners[0]), style="bold")
    return Text(t("{names} share the win.", names=winners), style="bold")
