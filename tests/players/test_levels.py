"""Players of every strength: one mechanism, a figure that is true, no look at what is hidden.

The tests marked `exhaustive` run with `make test-all` only: run it after a change of levels, habits or values.
"""

from __future__ import annotations

from itertools import pairwise
from math import hypot, sqrt
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tools import ladder

from pasch import Match, find_game
from pasch.coach.ledger import keep_ledger
from pasch.core.chance import KeyedGenerator, seed_key
from pasch.core.philox import game_key
from pasch.core.registry import game_ids
from pasch.core.state import State
from pasch.games.joker1.rules import Next
from pasch.lab.batch import batch
from pasch.players import levels
from pasch.players.adjudication import adjudicate
from pasch.players.arena import play_game
from pasch.players.base import player
from pasch.players.levels import (
    LADDER,
    LEVELS,
    STUDY,
    LevelPlayer,
    WinnerPlayer,
    choose_best,
    choose_noticed,
    measured_loss,
    measured_wins,
)
from pasch.solve.valuer import MoveValue, valuer

LOOKS = (5.0, 4.0, 5.0, 1.0)


# --- the mechanism --------------------------------------------------------------------------------


def test_who_overlooks_nothing_takes_what_looks_best_and_who_notices_nothing_the_plainest_move() -> None:
    for drawn in (0.0, 0.5, 0.999):
        assert choose_noticed(LOOKS, (1, 0, 1, 0), 4, 0.0, drawn) == 0
    assert choose_best((1.0, 3.0, 3.0 + 1e-7, 2.0), 4) == 1, "the first of those that the coach calls equal"
    assert choose_noticed((3.0, 2.0, 1.0), (2, 1, 3), 3, 1.0, 0.7) == 1


def test_moves_that_take_thought_are_overlooked_one_after_the_other() -> None:
    ideas, draws = (1, 0, 2, 0), 4000
    taken = [choose_noticed(LOOKS, ideas, 4, 0.4, (n + 0.5) / draws) for n in range(draws)]
    # the first is seen by 60 %; of the others 36 % see what takes two ideas; nobody overlooks what takes none
    expected = (0.6, 0.4 * (1 - 0.36), 0.4 * 0.36, 0.0)
    for place, share in enumerate(expected):
        assert taken.count(place) / draws == pytest.approx(share, abs=0.002)


def deciding() -> State:
    return Match(find_game("joker1").agree(2, {"rounds": 1}), ["roll:1,2,3", "push:1/2/3"]).state


@pytest.mark.slow
def test_perfect_needs_no_luck_and_without_mistakes_of_its_own_a_game_has_players_that_overlook(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state, no_luck, generator = deciding(), cast(Any, None), KeyedGenerator(seed_key("draws"))
    worth = valuer(state.game).move_points(state)
    assert player("perfect").choose(state, no_luck) == state.moves()[worth.index(max(worth))]
    monkeypatch.setattr(levels, "find_part", lambda game, role: None)
    taken = {LevelPlayer("easy").choose(state, generator) for _ in range(60)}
    assert taken == set(state.moves())


@pytest.mark.parametrize(
    ("win", "taken"),
    [((0.2, 0.5, 0.1), 1), ((0.5, 0.5, 0.1), 0), ((None, None, None), 0), ((0.5, None, 0.9), 0)],
)
def test_winner_plays_for_points_where_chances_are_equal_or_unknown(
    monkeypatch: pytest.MonkeyPatch, win: tuple[float | None, ...], taken: int
) -> None:
    state = deciding()
    moves = [MoveValue(move, None, None, chance) for move, chance in zip(state.moves(), win, strict=True)]
    values = SimpleNamespace(move_points=lambda state: (3.0, 1.0, 2.0), moves=lambda state: moves)
    monkeypatch.setattr(levels, "valuer", lambda game: values)
    assert WinnerPlayer().choose(state, KeyedGenerator(b"")) == state.moves()[taken]


# --- the figure -----------------------------------------------------------------------------------

#: games played to check the published figures, deals for wins; few where values take long
FRESH: dict[str, tuple[int, int]] = {"crowns": (6, 3), "sixbysix": (3, 2)}
USUAL_FRESH = (400, 400)
#: a share of wins with a smaller standard error was measured with many games
SURE = 0.03


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", game_ids())
def test_the_ladder_has_not_drifted(name: str) -> None:
    """A fresh sample agrees with what is written, within both standard errors."""
    game = find_game(name).agree(2)
    games, deals = FRESH.get(name, USUAL_FRESH)
    for level, following in pairwise(LADDER[:-1]):
        said = measured_wins(game, level)
        found = ladder.win_share(game, level, following, deals, "fresh")
        assert said is not None and said.against == following
        # so few games may be alike by chance; a share of a half has the largest error
        error = max(found.error, 0.5 / sqrt(2 * deals))
        assert abs(found.value - said.wins) <= 4 * hypot(error, said.error)
    for level in LADDER[:-1]:
        lost = measured_loss(game, level)
        fresh = ladder.loss(game, level, games, "fresh")
        assert lost is not None
        error = hypot(fresh.error, lost.error, 0.15 * lost.value if games < 20 else 0.0)
        assert abs(fresh.value - lost.value) <= 4 * error


@pytest.mark.parametrize("name", game_ids())
def test_the_rungs_are_in_order(name: str) -> None:
    game = find_game(name).agree(2)
    for level, following in pairwise(LADDER):
        met = measured_wins(game, level)
        if met is None:
            # players that play to win take long to measure, and have no figures until then
            assert following == LADDER[-1] and measured_wins(game, following) is None
            continue
        assert met.against == following
        # where few games could be played, they must at least not contradict the order
        assert met.wins + (2 if met.error < SURE else -2) * met.error < 0.5, "the next one is stronger"
    study = measured_wins(game, STUDY)
    if study is not None:
        assert study.against == LADDER[-1]
        assert study.wins - 2 * study.error < 0.5, "who plays to win is not weaker"
    figures = [measured_loss(game, level) for level in LEVELS[:4]]
    known = [figure.value for figure in figures if figure is not None]
    assert sorted(known, reverse=True) == known and known[-1] == 0, "weaker levels give more away"
    # where values take long, it may not be known yet
    assert len(known) == len(figures) or name in FRESH


@pytest.mark.slow
def test_what_is_given_away_is_what_the_coach_counts() -> None:
    """The compiled loop adds up the same costs as the ledger does."""
    game = find_game("joker1").agree(2, {"rounds": 3})
    played = batch(game, ["easy", "hard"]).play(3, "costs")
    for number in range(3):
        match = play_game(game, [player("easy"), player("hard")], game_key("costs", number))
        costs = [seat.account.costs for seat in keep_ledger(match).seats]
        assert list(played.given_away[number]) == pytest.approx(costs, abs=1e-9)


@pytest.mark.parametrize(
    ("game", "options"),
    [("crowns", {"split": True}), ("crowns", {"round_limit": 7}), ("sixbysix", {"round_limit": 3})],
)
def test_nothing_is_said_of_games_that_were_not_measured(game: str, options: dict[str, Any]) -> None:
    assert measured_loss(find_game(game).agree(2, options), "easy") is None
    assert measured_loss(find_game(game).agree(2), "easy") is not None


def test_the_figure_grows_with_the_number_of_turns() -> None:
    kind = find_game("joker1")
    long, short = (measured_loss(kind.agree(2, {"rounds": rounds}), "easy") for rounds in (20, 10))
    assert long is not None and short is not None and long.value == pytest.approx(2 * short.value)


# --- adjudication ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_most_likely_winner_gets_an_abandoned_game() -> None:
    found = adjudicate(deciding().apply(Next(0, "stop")))
    assert found.by == "chances" and found.win is not None
    assert found.winners == (max((0, 1), key=lambda seat: found.win[seat]),)  # type: ignore[index]


def test_equal_seats_share_an_abandoned_game() -> None:
    assert adjudicate(find_game("lines").agree(3).start()).winners == (0, 1, 2)
