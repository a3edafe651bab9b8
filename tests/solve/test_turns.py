"""Values of the games of turns: Würfel Joker 1, Würfel Joker 2 and Fiese 15.

Run `make test-all` when you change Fiese 15's: only it asks what is said of tiles that are not known yet.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.game import Game
from pasch.core.state import CHANCE, State
from pasch.core.texts import rules_markdown
from pasch.games.fiese15 import rules as fiese15
from pasch.games.fiese15.rules import Fiese15, Fiese15Options
from pasch.games.fiese15.values import Values as FieseValues
from pasch.games.joker1 import rules as joker1
from pasch.games.joker1.box import Combination, Joker1Components
from pasch.games.joker1.rules import Joker1, Joker1Options
from pasch.games.joker2 import rules as joker2
from pasch.games.joker2.box import Joker2Components
from pasch.games.joker2.rules import Joker2, Joker2Options
from pasch.solve import turns
from pasch.solve.turn import Turn
from tests.solve.proofs import (
    Listed,
    answers_agree,
    chances_hold,
    ledger_holds,
    parts_add_up,
    turn_values,
    walk,
)

#: the expected points of a turn of Joker 1, by what a six in the first joker roll does …
JOKER1 = {"saves": 16.077082850801915, "busts": 14.52437777997812}
#: … and of Joker 2; once the five counts, rolling on is always better than stopping
JOKER2 = -6.877063755419051
#: boxes with few scores, so that chances to win are solved in a moment
SMALL_SCORES = Joker2Components(game="joker2", slides=(1, 2, 0, 1, 3, 1, 1, 0, 1), bonus=9, factor=2)
NOTHING = (0,) * 6


def small(dice: int, jokers: int = 1, rounds: int = 1, first_six: Any = "saves") -> Joker1Options:
    """Joker 1 with few positions."""
    combinations = (
        Combination(name="one", slides=(1,), value=2),
        Combination(name="bridge", slides=(1, 6), value=7),
        Combination(name="step", slides=(2, 3), value=5, exact=False),
    )
    box = Joker1Components(game="joker1", dice=dice, jokers=jokers, combinations=combinations)
    return Joker1Options(rounds=rounds, components=box, first_six=first_six)


def few(rounds: int = 2, **options: Any) -> Joker2Options:
    """Joker 2 with few scores."""
    return Joker2Options(rounds=rounds, components=SMALL_SCORES, **options)


def strips(players: int = 1, rounds: int = 10, count: int = 15, **options: Any) -> Fiese15:
    """Fiese 15 with this number of rounds and strips."""
    usual = Fiese15(1).components
    box = msgspec.structs.replace(usual, rounds=rounds, strips=usual.strips[:count])
    return Fiese15(players, Fiese15Options(components=box if box != usual else None, **options))


def strip_values(game: Fiese15) -> FieseValues:
    found = turn_values(game)
    assert isinstance(found, FieseValues)
    return found


def rolling(game: Fiese15, strip: int, kept: tuple[int, ...], seat: int = 0, *totals: int) -> Any:
    """Before a roll of the dice that are not kept, in the last round."""
    drawn = (*[s for s in range(game.components.rounds) if s != strip], strip)[-game.components.rounds :]
    tiles = (1,) * game.players if game.options.handicap else ()
    targets = tuple(fiese15.target(game.config, strip, die, 1) for die in range(6))
    totals = totals or (0,) * game.players
    return fiese15.Position(game, CHANCE, "roll", seat, totals, drawn, tiles, targets, kept, NOTHING)


def scores(state: State) -> tuple[int, ...]:
    return state.scores()


def wins(state: State) -> list[bool]:
    return [seat in state.winners() for seat in range(state.game.players)]


# --- every answer agrees with the rules and with the other answers ----------------------------------


GAMES: dict[str, Game[Any, Any]] = {
    "joker1-1": Joker1(1, Joker1Options(rounds=2)),
    "joker1-2": Joker1(2, Joker1Options(rounds=3)),
    "joker1-4-busts": Joker1(4, Joker1Options(rounds=2, first_six="busts")),
    "joker1-2-small": Joker1(2, small(4, 3, 4)),
    "joker1-3-small-busts": Joker1(3, small(3, 3, 4, "busts")),
    "joker2-1": Joker2(1, Joker2Options(rounds=3)),
    "joker2-3-pushed": Joker2(3, Joker2Options(rounds=2, five_penalty="pushed", five_dice="bust")),
    "joker2-2-few": Joker2(2, few(five_dice="bust")),
    "joker2-2-few-always": Joker2(2, few(1, five_penalty="pushed", five_dice="always")),
    "fiese15-1": strips(1),
    "fiese15-3-gambler": strips(3, 3, gambler=True),
    "fiese15-2-short": strips(2, 2),
    # a table of two seats with 90 sides takes most of a minute
    "fiese15-2-short-handicap": strips(2, 1, 2, handicap=True),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_ledger_chances_parts_and_moves_agree(game: Game[Any, Any]) -> None:
    values = turn_values(game)
    for number, state in enumerate(walk(game, KeyedGenerator(seed_key("turns")))):
        ledger_holds(values, state)
        answers_agree(values, state)
        chances_hold(values, state)
        if number % 3 == 0:
            parts_add_up(state)


@pytest.mark.parametrize(
    ("game", "turn"),
    [(Joker1(1), JOKER1["saves"]), (Joker2(1), JOKER2), (Fiese15(1), None)],
    ids=["joker1", "joker2", "fiese15"],
)
def test_scores_of_a_turn(game: Game[Any, Any], turn: float | None) -> None:
    values = turn_values(game)
    spread, expected = values.distribution, values.worth(game.start()).turn
    assert sum(spread.chances) == pytest.approx(1)
    assert spread.mean() == pytest.approx(expected) == pytest.approx(turn or expected)


# --- whole turns, by listing every position ---------------------------------------------------------


TURNS: list[Any] = [
    Joker1(1, Joker1Options(rounds=1, first_six="saves")).start(),
    Joker1(1, Joker1Options(rounds=1, first_six="busts")).start(),
    Joker2(1, Joker2Options(rounds=1, five_penalty="used", five_dice="always")).start(),
    Joker2(1, Joker2Options(rounds=1, five_penalty="pushed", five_dice="bust")).start(),
    rolling(strips(rounds=1), 14, (1, 0, 3, 3, 0, 2)),
    rolling(strips(rounds=1, gambler=True), 10, (3, 1, 0, 1, 0, 4)),
]


@pytest.mark.parametrize("start", TURNS)
def test_a_turn_by_listing_it(start: Any) -> None:
    values = turn_values(start.game)
    for position, expected in Listed(start).solve(scores).items():
        assert values.points(position) == pytest.approx(expected, abs=1e-9)
        if isinstance(position, joker2.Position) and position.phase == "next" and position.fivefold:
            roll, stop = values.move_points(position)
            assert roll > stop, "as the rules page says"


@pytest.mark.parametrize("first_six", JOKER1)
def test_the_rules_page_of_joker1_says_what_a_turn_brings(first_six: Any) -> None:
    game = Joker1(1, Joker1Options(rounds=1, first_six=first_six))
    assert turn_values(game).points(game.start()) == pytest.approx((JOKER1[first_six],), abs=1e-9)
    for language, point in (("en", "."), ("de", ",")):
        assert f"{JOKER1[first_six]:.1f}".replace(".", point) in rules_markdown("joker1", language)


def test_backs_of_fiese15() -> None:
    """With tile 1 a back is a front with its colours moved; a higher tile is never worse."""
    front, back = strip_values(strips(2)), strip_values(strips(2, handicap=True))
    for strip in range(0, 15, 5):
        fresh = [back.fresh(strip, tile) for tile in (1, 3)]
        assert fresh[0] == pytest.approx(front.fresh(strip), abs=1e-9)
        assert fresh == sorted(fresh)


@pytest.mark.exhaustive
def test_tiles_of_fiese15_to_come_are_guessed_and_worth_says_so() -> None:
    game = strips(2, 2, 3, handicap=True)
    values = strip_values(game)
    worth = values.worth(game.start())
    assert worth.exact.turn and not worth.exact.value and not worth.exact.win
    assert values.worth(rolling(game, 2, NOTHING)).exact.value, "in the last round all tiles are known"
    assert strip_values(strips(1, 2, 3, handicap=True)).exact.value


# --- chances to win ---------------------------------------------------------------------------------


MATCHES: list[Any] = [
    Joker1(2, small(2)).start(),
    *(
        pytest.param(Joker1(2, of).start(), marks=pytest.mark.exhaustive)
        for of in (small(1, 1, 2), small(2, 2, 1, "busts"))
    ),
    joker1.Position(Joker1(3, small(2)), CHANCE, "roll", 2, 0, (5, 9, 0), 0, 2, (), 0),
    *(
        joker2.Position(Joker2(2, few(1)), CHANCE, "roll", 1, 0, (total, 0), 0b110111000, False, ())
        for total in (-4, 3)
    ),
    *(rolling(strips(2, 1), 14, (1, 0, 3, 3, 0, 2), 1, best, 0) for best in (14, 21)),
]


@pytest.mark.parametrize("start", MATCHES)
def test_chances_of_a_match_or_its_last_turn_by_listing_it(start: Any) -> None:
    """Equal chances are decided by points, as in the tables."""
    values, listed = turn_values(start.game), Listed(start)
    solution = listed.solve(wins, lambda state, seat: values.points(state)[seat])
    for position in [start, *listed.positions[:: max(1, len(listed.positions) // 300)]]:
        worth = values.worth(position)
        assert worth.exact.win
        assert worth.win == pytest.approx(solution[position], abs=1e-9)
        for move in values.moves(position):
            after = solution[position.apply(move.move)][position.actor]
            assert move.win == pytest.approx(after, abs=1e-9)


@pytest.mark.parametrize(("rounds", "count", "handicap"), [(2, 15, False), (1, 2, True)])
def test_chances_in_fiese15_are_exact_from_the_last_round_on(
    rounds: int, count: int, handicap: bool
) -> None:
    game = strips(2, rounds, count, handicap=handicap)
    values = strip_values(game)
    states: list[Any] = list(walk(game, KeyedGenerator(seed_key("chances"))))
    exact = [values.worth(state).exact.win for state in states]
    assert exact == sorted(exact)
    begun = states[exact.index(True)]
    assert (len(begun.strips), begun.seat) == ((1, 1) if rounds == 2 else (0, 0))
    assert values.exact.win == (rounds == 1)


def test_long_games_and_more_seats_are_estimated_and_worth_says_so() -> None:
    long = Joker1(2, Joker1Options(rounds=turns.MAX_DUEL_TURNS))
    worth = turn_values(long).worth(long.start())
    assert not worth.exact.win and not turn_values(long).exact.win
    assert worth.win == pytest.approx((0.5, 0.5), abs=0.02)
    assert not turn_values(Joker1(4, Joker1Options(rounds=3))).exact.win
    alone = turn_values(Joker1(1))
    assert alone.exact.win and alone.worth(Joker1(1).start()).win == (1.0,)


# --- other boxes, compiled code -----------------------------------------------------------------------


def test_another_box_of_joker1_has_values_of_its_own() -> None:
    box = Joker1(1).components
    richer = tuple(msgspec.structs.replace(c, value=c.value * 2) for c in box.combinations)
    options = Joker1Options(components=msgspec.structs.replace(box, combinations=richer))
    found = turn_values(Joker1(1, options)).points(Joker1(1).start())[0]
    assert found == pytest.approx(20 * JOKER1["saves"])


def test_compiled_turns_of_joker2_are_the_same() -> None:
    turn = turn_values(Joker2(2, few(1))).turn(Joker2(1).start())
    compiled = Turn(turn.graph, turn.scores, turn.start, compiled=True, ends=turn.ends)
    assert list(compiled.values) == pytest.approx(list(turn.values), abs=1e-12)
