"""Würfel Joker 1 in the terminal: the slides, the dice in play and the table of combinations."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pasch.core.components import marked
from pasch.core.events import Event, Roll
from pasch.games.joker1.box import SLIDES, Combination, called, mask_of, numbers
from pasch.games.joker1.rules import Next, Position, Push, score
from pasch.terminal.language import shown, t, tn, word
from pasch.terminal.words import guess_note, seat_name


def _called(name: str) -> str:
    """A combination's name in this language; names from a custom box are not translated."""
    return word(called(name))


def draw(state: Position) -> RenderableType:
    """The totals and the tray on the left, the combinations on the right."""
    game = state.game
    columns = Table.grid(padding=(0, 6, 0, 0))
    left = [_totals(state, game)]
    if not state.over:
        left.append(_tray(state, game))
    columns.add_row(Group(*left), _combinations(state, game))
    return Group(columns, *guess_note(c.provenance for c in game.components.combinations))


def _totals(state: Position, game: Any) -> Text:
    rounds = game.options.rounds
    lines = [t("Round {n} of {all}", n=min(state.round + 1, rounds), all=rounds)]
    for seat, total in enumerate(state.totals):
        here = ">" if seat == state.seat and not state.over else " "
        lines.append(f"{here} {seat_name(seat)} {shown(total):>6}")
    return Text("\n".join([*lines, ""]))


def _tray(state: Position, game: Any) -> Text:
    up = numbers(state.slides)
    above, below = t("up"), t("down")
    wide = max(len(above), len(below)) + 2
    lines = [
        above.ljust(wide) + " ".join(str(slide) if slide in up else "." for slide in SLIDES),
        below.ljust(wide) + " ".join("." if slide in up else str(slide) for slide in SLIDES),
        "",
        t("dice in play: {n}", n=state.dice),
    ]
    if state.rolled:
        lines[-1] = t("rolled: {dice}", dice=_spaced(state.rolled))
    if state.phase.startswith("joker"):
        lines.append(
            t(
                "jokers: {n} of {all}, worth {points} now",
                n=state.jokers,
                all=game.components.jokers,
                points=score(game.config, state.slides, state.jokers),
            )
        )
    return Text("\n".join(lines))


def _combinations(state: Position, game: Any) -> Table:
    """The table of the score pad: what stands, what can still come, what cannot any more."""
    table = Table(box=None, padding=(0, 1), show_header=False)
    standing = state.combination
    for combination in game.components.combinations:
        stands = standing is not None and combination.name == standing[0]
        lost = not stands and not _possible(combination, state.slides)
        table.add_row(
            "*" if stands else "-" if lost else " ",
            Text(_called(combination.name)),
            _spaced(combination.slides) + ("" if combination.exact else " ..."),
            marked(combination.value, combination.provenance),
            style="bold" if stands else "dim" if lost else None,
        )
    table.add_row("", Text(t("* stands   - out of reach"), style="dim"), t("... more may be up"), "")
    return table


def _possible(combination: Combination, slides: int) -> bool:
    """Slides never come down again, so an exact combination may be spoilt."""
    return not combination.exact or not slides & ~mask_of(combination.slides)


def tell(state: Position, event: Event) -> str:
    """The event in words, with what follows at once."""
    game = state.game
    after = state.apply(event)
    who = seat_name(state.seat)
    ended = after.seat != state.seat or after.round != state.round
    points = after.totals[state.seat] - state.totals[state.seat]
    if isinstance(event, Roll):
        said = t("{name} rolls {dice}", name=who, dice=_spaced(event.roll))
        if state.phase == "joker roll":
            left = game.components.jokers - state.jokers
            ones = min(event.roll.count(1), left)
            return _told_joker_roll(said, after, ones, 6 in event.roll, ended, points)
        return t("{what}: nothing can be pushed, the turn scores 0", what=said) if ended else said
    if isinstance(event, Push):
        if not event.push:
            said = t("{name} pushes nothing", name=who)
        else:
            said = t("{name} pushes {slides}", name=who, slides=_listed(event.push))
        if after.combination is None:
            return said
        return t("{what} ({combination} stands)", what=said, combination=_called(after.combination[0]))
    assert isinstance(event, Next)
    standing = _called(state.combination[0]) if state.combination else t("nothing")
    if event.next == "stop":
        return t(
            "{name} stops with {combination} and scores {points}",
            name=who,
            combination=standing,
            points=points,
        )
    if event.next == "jokers":
        return t("{name} takes {combination} into the jokers", name=who, combination=standing)
    return tn("{name} rolls on with {n} die", "{name} rolls on with {n} dice", state.dice, name=who)


def _told_joker_roll(rolled: str, after: Position, ones: int, six: bool, ended: bool, points: int) -> str:
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


def _spaced(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


def _listed(groups: tuple[tuple[int, ...], ...]) -> str:
    """The groups with the slides they push: 1, 2+4=6."""
    written = ["+".join(map(str, g)) + (f"={sum(g)}" if len(g) > 1 else "") for g in groups]
    return ", ".join(written)
