"""The solver on games so small that the answer can be worked out by hand, and on games that try to mislead it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import pytest

from pasch import CHANCE, OVER, BySeat, Choice, Components, Dice, Game, Options, SeatEvent, State
from pasch.solve.explore import POINTS, WIN, Budget, TooLarge
from pasch.solve.graph import Endless
from pasch.solve.positions import Rules
from pasch.solve.solved import Solution, SolvedValues, solution_arrays
from pasch.solve.valuer import no_progress
from tests.solve.proofs import Listed


class Face(SeatEvent, frozen=True):
    """The face of a die."""

    roll: int


class Go(SeatEvent, frozen=True):
    """Roll, or stop."""

    go: Literal["roll", "stop"]


KINDS = ("walk", "late", "gain", "stuck", "race", "growing", "silent")
WALK, LATE, GAIN, STUCK, RACE, GROWING, SILENT = range(7)


class WalkOptions(Options, frozen=True, kw_only=True):
    """Which of several games it is."""

    kind: Literal["walk", "late", "gain", "stuck", "race", "growing", "silent"] = "walk"
    size: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10


class Config(NamedTuple):
    """What the rules read."""

    players: int
    size: int
    kind: int


class Position(State, frozen=True):
    """Where one is, what one has, and how often the die was rolled."""

    phase: Literal["roll", "next", "over"]
    seat: int
    totals: BySeat
    at: int
    rolls: int


def begin(g: Config, s: Any) -> None:
    """In the middle of the road; a race begins with a choice."""
    s.at = g.size // 2
    if g.kind in (RACE, GAIN, SILENT):
        s.at, s.actor, s.phase = 0, 0, 1


def roll(g: Config, s: Any, face: int) -> None:
    """Up or down; a walk counts its steps, a race its pips."""
    s.rolls += 1
    if g.kind == RACE:
        s.at += face
        s.actor, s.phase = s.seat, 1
        if face == 1 or s.at >= g.size:
            s.totals[s.seat] += 0 if face == 1 else s.at
            s.at = 0
            end_turn(g, s)
        return
    s.at += 1 if face % 2 else -1
    s.totals[0] += 1
    if g.kind == GROWING:
        s.at += 2
    # no random game comes as far as here, where the number of rolls is read
    if s.at == g.size - 1 and g.kind == LATE and s.rolls > 40:
        s.totals[0] += 1000
    if (s.at in (0, g.size)) and g.kind != STUCK:
        s.actor, s.phase = OVER, 2
    elif g.kind == STUCK:
        s.at = min(max(s.at, 1), g.size - 1)


def moves(g: Config, s: Any, out: Any) -> int:
    """Both, or none at all, which no rules may say."""
    out[0], out[1] = 0, 1
    return 0 if g.kind == SILENT else 2


def go(g: Config, s: Any, code: int) -> None:
    """Roll, or stop with what one has."""
    if g.kind == GAIN:
        s.totals[0] += 1
        if code == 1:
            s.actor, s.phase = OVER, 2
    elif code == 0:
        s.actor, s.phase = CHANCE, 0
    else:
        s.totals[s.seat] += s.at
        s.at = 0
        end_turn(g, s)


def end_turn(g: Config, s: Any) -> None:
    """Each seat has one turn."""
    s.seat += 1
    s.actor, s.phase = s.seat, 1
    if s.seat == g.players:
        s.actor, s.phase, s.seat = OVER, 2, 0


class Small(Game[WalkOptions, Components]):
    """A small game with its options."""

    id = "small"
    title = "Small"
    pitch = "Up and down."
    seats = range(1, 4)
    minutes = (1, 2)
    Options = WalkOptions
    Position = Position
    begin = begin
    phases = {"roll": Dice(Face, 1, then=roll), "next": Choice(Go, ("roll", "stop"), go, moves)}

    def configure(self) -> Config:
        return Config(self.players, self.options.size, KINDS.index(self.options.kind))


def solved(kind: Any, size: int = 10, players: int = 1) -> SolvedValues:
    return SolvedValues(Small(players, WalkOptions(kind=kind, size=size)))


def test_a_fair_walk_takes_as_many_steps_as_it_should() -> None:
    """From the middle of 0 to 400 it is 200 times 200 on average; every position comes up again."""
    values = solved("walk", 400)
    assert values.points(values.game.start())[0] == pytest.approx(40_000, rel=1e-9)
    assert "totals[0], rolls" in values.explain(), "counters that nobody reads are left out"


def test_a_word_that_is_read_only_on_a_rare_path_is_noticed() -> None:
    """At its far end the game is another one after 40 rolls: positions must hold the rolls."""
    values = solved("late", 400)
    assert values._solution(POINTS, Budget(20_000, 100, 5.0)) is None
    assert "rolls" in values.remarks[0], "it never ends, and the word that grows is named"


@pytest.mark.parametrize(
    ("kind", "why"), [("gain", "without bound"), ("stuck", "never ends"), ("silent", "no move")]
)
def test_a_game_without_a_value_is_refused(kind: Any, why: str) -> None:
    with pytest.raises(Endless, match=why):
        solution_arrays(solved(kind).game, POINTS, Budget(10_000, 100, 5.0))


def test_a_game_that_grows_is_given_up_and_the_word_is_named() -> None:
    with pytest.raises(TooLarge, match=r"more than .* positions.* at \("):
        solution_arrays(solved("growing", 9).game, POINTS, Budget(2_000, 100, 5.0))


def test_a_refusal_is_remembered_until_more_may_be_spent() -> None:
    values = solved("race", 11)
    assert values._solution(POINTS, Budget(5)) is None
    again = SolvedValues(values.game)
    assert again._solution(POINTS, Budget(4)) is None and again.remarks
    again.solve()
    assert again.exact.value and not again.remarks


def test_chances_are_exact_where_points_are_not_known() -> None:
    """So it is in Pig to 40: chances settle, and points do not."""
    known, values = solved("race", 10, 2), solved("race", 10, 2)
    assert values._solution(POINTS, Budget(5)) is None
    state = known.game.start()
    worth, expected = values.worth(state), known.worth(state)
    assert (worth.exact.value, worth.exact.win, worth.win) == (False, True, expected.win)
    assert [move.win for move in values.moves(state)] == [move.win for move in known.moves(state)]


@pytest.mark.parametrize("players", [1, 2, 3])
def test_points_and_chances_are_those_of_the_listed_game(players: int) -> None:
    values = solved("race", 9, players)
    listed = Listed(values.game.start())
    points = listed.solve(lambda end: end.scores())
    chances = listed.solve(lambda end: [seat in end.winners() for seat in range(players)])
    for state in listed.positions[::7]:
        worth = values.worth(state)
        assert worth.exact.value and worth.exact.win
        assert worth.value == pytest.approx(points[state], abs=1e-9)
        assert worth.win is not None and max(worth.win) == pytest.approx(max(chances[state]), abs=1e-9)
        for move in values.moves(state):
            assert move.value == pytest.approx(points[state.apply(move.move)][state.actor], abs=1e-9)


# --- by stages, compiled ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("aim", [POINTS, WIN])
def test_a_game_solved_stage_by_stage_is_the_same(aim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code keeps only the beginnings of stages; what lies between is walked through when it is asked for.

    At first this is done in plain Python, after many calls of the rules by compiled code.
    """
    from pasch.solve.staged import StagedSolver

    game = solved("race", 9, 2).game
    whole, rules = SolvedValues(game), Rules(game)
    table = StagedSolver(rules, aim, Budget(), no_progress).arrays()
    plain, compiled = Solution(rules, aim, table), Solution(rules, aim, table)
    states = [state for state in Listed(game.start()).positions[::5] if not state.over]
    found = [plain.value(state.unpack()) for state in states]
    monkeypatch.setattr("pasch.solve.solved.MAX_QUERY_CALLS", -1)
    for state, coming in zip(states, found, strict=True):
        worth = whole.worth(state)
        assert worth.win and worth.value
        points = worth.value[state.seat] - state.scores()[state.seat]
        assert coming[state.seat] == pytest.approx(
            worth.win[state.seat] if aim == WIN else points, abs=1e-9
        )
        assert compiled.value(state.unpack()) == pytest.approx(coming, abs=1e-12)
    assert not compiled._between, "nothing was walked through in plain Python"
    for totals in ((50, 0), (4, 0)):
        # what play never comes to, and what its table does not hold, is left to plain Python
        s = game.start().unpack()
        s.totals[:] = totals
        assert compiled.value(s) == pytest.approx(plain.value(s), abs=1e-12)


@pytest.mark.slow
def test_words_beyond_what_random_games_show_get_wider_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges and kinds that come from a single step of a random game are nearly all wrong."""
    from pasch.solve import staged

    game = solved("race", 9, 2).game
    monkeypatch.setattr(staged, "RANDOM_STEPS", 1)
    made = staged.StagedSolver(Rules(game), WIN, Budget(), no_progress)
    assert len(made.notes) > 2
    values, found = SolvedValues(game).worth(game.start()).win, Solution(Rules(game), WIN, made.arrays())
    assert found.value(game.start().unpack()) == pytest.approx(list(values or ()), abs=1e-9)


@pytest.mark.slow
def test_a_sum_that_is_read_only_on_a_rare_path_is_noticed_in_compiled_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing goes wrong while it is left out: only positions that are solved again with other sums show it."""
    from pasch.solve import staged

    monkeypatch.setattr(staged, "RANDOM_STEPS", 1_000)
    rules = Rules(solved("late", 400).game)
    assert rules.layout.names.index("rolls") in staged.Guess.seen(rules, POINTS).sums
    with pytest.raises(TooLarge, match="most values are rolls"):
        staged.StagedSolver(rules, POINTS, Budget(20_000), no_progress)
