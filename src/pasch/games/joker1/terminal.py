"""Würfel Joker 1 in the terminal: the slides, the dice in play and the table of combinations."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.components import marked
from pasch.core.events import Event, Roll
from pasch.games.joker1.box import SLIDES, called, out_of_reach
from pasch.games.joker1.rules import Next, Position, Push, score
from pasch.terminal.board import guess_note, rounds, seat_name, spaced, two_rows
from pasch.terminal.language import t, tn, word


def _called(name: str) -> str:
    """A combination's name in this language; names from a custom box are not translated."""
    return word(called(name))


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
            Text(_called(combination.name)),
            spaced(combination.slides) + ("" if combination.exact else " ..."),
            marked(combination.value, combination.provenance),
            style="bold" if stands else "dim" if lost else None,
        )
    table.add_row("", Text(t("* stands   - out of reach"), style="dim"), t("... more may be up"), "")
    return table


def tell(state: Position, event: Event) -> str:
    """The event in words, with what follows at once."""
    after, who = state.apply(event), seat_name(state.seat)
    points = after.totals[state.seat] - state.totals[state.seat]
    if isinstance(event, Roll):
        said = t("{name} rolls {dice}", name=who, dice=spaced(event.roll))
        ended = (after.seat, after.round) != (state.seat, state.round)
        if state.phase == "joker roll":
            left = state.game.components.jokers - state.jokers
            ones = min(event.roll.count(1), left)
            return _joker_roll_words(said, after, ones, 6 in event.roll, ended, points)
        return t("{what}: nothing can be pushed, the turn scores 0", what=said) if ended else said
    if isinstance(event, Push):
        pushed = t("{name} pushes {slides}", name=who, slides=_listed(event.push))
        said = pushed if event.push else t("{name} pushes nothing", name=who)
        if after.combination is None:
            return said
        return t("{what} ({combination} stands)", what=said, combination=_called(after.combination[0]))
    assert isinstance(event, Next)
    standing = _called(state.combination[0]) if state.combination else t("nothing")
    if event.next == "stop":
        said = "{name} stops with {combination} and scores {points}"
        return t(said, name=who, combination=standing, points=points)
    if event.next == "jokers":
        return t("{name} takes {combination} into the jokers", name=who, combination=standing)
    return tn("{name} rolls on with {n} die", "{name} rolls on with {n} dice", state.dice, name=who)


def _joker_roll_words(rolled: str, after: Position, ones: int, six: bool, ended: bool, points: int) -> str:
    if ones:
        said = tn("{what}: {n} joker", "{what}: {n} jokers", ones, what=rolled)
        return t("{what}, the turn scores {points}", what=said, points=points) if ended else said
    if not ended:
        return tn(
            "{what}: no 1, but {n} die showing 6",
            "{what}: no 1, but {n} dice showing 6",
            after.dice,
            what=rolled,
        )
    if six:
        return t("{what}: no 1 in the first joker roll, the turn scores 0", what=rolled)
    return t("{what}: neither a 1 nor a 6, the turn scores 0", what=rolled)


def heading(move: Event) -> str:
    """The group of the menu that a move belongs to."""
    if isinstance(move, Push):
        slides = len(move.push)
        return tn("Push {n} slide", "Push {n} slides", slides) if slides else t("Push nothing")
    return t("Go on?")


def label(state: Position, move: Event) -> str:
    """The move, short."""
    game = state.game
    if isinstance(move, Push):
        return _listed(move.push) or t("leave every 6 alone")
    assert isinstance(move, Next)
    if move.next == "stop":
        return t("stop and score {points}", points=score(game.config, state.slides, state.jokers))
    if move.next == "jokers":
        return tn("into the jokers with {n} die", "into the jokers with {n} dice", state.dice)
    return tn("roll {n} die", "roll {n} dice", state.dice)


def _listed(groups: tuple[tuple[int, ...], ...]) -> str:
    """The groups with the slides they push: 1, 2+4=6."""
    written = ["+".join(map(str, g)) + (f"={sum(g)}" if len(g) > 1 else "") for g in groups]
    return ", ".join(written)
