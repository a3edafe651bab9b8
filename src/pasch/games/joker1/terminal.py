"""Würfel Joker 1 in the terminal: the slides, the dice in play and the table of combinations."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.components import marked
from pasch.core.events import Event, Roll
from pasch.games.joker1.box import SLIDES, called, out_of_reach
from pasch.games.joker1.rules import Next, Position, Push, score
from pasch.terminal.board import (
    guess_note,
    next_label,
    next_words,
    rolls,
    rounds,
    scored,
    seat_name,
    spaced,
    turn_ended,
    turn_score,
    two_rows,
)
from pasch.terminal.language import t, tn, word


def draw(state: Position) -> RenderableType:
    """The totals and the tray on the left, the combinations on the right."""
    columns = Table.grid(padding=(0, 6, 0, 0))
    columns.add_row(Group(rounds(state), Text("" if state.over else _tray(state))), _combinations(state))
    return Group(columns, *guess_note(c.provenance for c in state.game.components.combinations))


def _tray(state: Position) -> str:
    if state.rolled:
        dice = t("rolled: {dice}", dice=spaced(state.rolled))
    else:
        dice = t("dice in play: {n}", n=state.dice)
    drawn = f"{two_rows(state.slides, len(SLIDES))}\n{dice}"
    if not state.phase.startswith("joker"):
        return drawn
    g = state.game.config
    said = "jokers: {n} of {all}, worth {points} now"
    return f"{drawn}\n{t(said, n=state.jokers, all=g.jokers, points=score(g, state.slides, state.jokers))}"


def _combinations(state: Position) -> Table:
    """The table of the score pad: what stands, what can still come, what cannot any more."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    standing = state.combination
    for combination in state.game.components.combinations:
        stands = standing is not None and combination.name == standing[0]
        lost = not stands and out_of_reach(combination, state.slides)
        table.add_row(
            "*" if stands else "-" if lost else " ",
            # a name from a custom box is not translated
            Text(word(called(combination.name))),
            spaced(combination.slides) + ("" if combination.exact else " ..."),
            marked(combination.value, combination.provenance),
            style="bold" if stands else "dim" if lost else None,
        )
    table.add_row("", Text(t("* stands   - out of reach"), style="dim"), t("... more may be up"), "")
    return table


def tell(state: Position, event: Event) -> str:
    """The event in words, with what follows at once."""
    after, who = state.apply(event), seat_name(state.seat)
    if isinstance(event, Roll):
        said = rolls(state, spaced(event.roll))
        if turn_ended(state, after):
            scores = scored(state, after) > 0
            return turn_score(said, state, after) if scores else t("{what}: the turn is lost", what=said)
        jokers = after.jokers - state.jokers
        return tn("{what}: {n} joker", "{what}: {n} jokers", jokers, what=said) if jokers else said
    if isinstance(event, Push):
        pushed = t("{name} pushes {slides}", name=who, slides=_listed(event.push))
        return pushed if event.push else t("{name} pushes nothing", name=who)
    assert isinstance(event, Next)
    if event.next == "jokers":
        return t("{name} goes into the jokers", name=who)
    return next_words(state, event)


def label(state: Position, move: Event) -> str:
    """The move, short."""
    if isinstance(move, Push):
        return t("Push {slides}", slides=_listed(move.push)) if move.push else t("Push nothing")
    assert isinstance(move, Next)
    if move.next == "jokers":
        return t("Into the jokers")
    return next_label(move, state.dice, score(state.game.config, state.slides, state.jokers))


def _listed(groups: tuple[tuple[int, ...], ...]) -> str:
    """The groups with the slides they push: 1, 2+4=6."""
    written = ["+".join(map(str, g)) + (f"={sum(g)}" if len(g) > 1 else "") for g in groups]
    return ", ".join(written)
