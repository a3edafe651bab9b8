"""Every game behaves as it did when `oracle.json` was written (see `oracle.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pasch import all_games, find_game
from pasch.core.game import Game
from pasch.core.registry import AnyGame
from pasch.terminal.conformance import Case, agree, cases, name, sample_cases
from tests.conformance.oracle import SCORED, SEED, digests, known, plain_scores

pytestmark = pytest.mark.slow

GAMES = [game.id for game in all_games() if any(case.startswith(f"{game.id}-") for case in known())]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("which", [sample_cases, pytest.param(cases, marks=pytest.mark.exhaustive)])
def test_states_moves_chances_refusals_and_scores_are_what_they_were(
    which: Callable[[AnyGame], list[Case]], game: str
) -> None:
    before = known()
    for case in which(find_game(game)):
        assert digests(case) == before[name(case)], name(case)


def test_the_digests_are_of_all_cases() -> None:
    assert {name(case) for game in GAMES for case in cases(find_game(game))} == set(known())


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", GAMES)
def test_compiled_games_have_the_same_scores(game: str) -> None:
    """More games of each case than the digests are made of, compiled and plain."""
    from pasch.lab.batch import batch

    for case in cases(find_game(game)):
        configured: Game[Any, Any] = agree(case)
        compiled = batch(configured, ["random"] * configured.players).play(10 * SCORED, SEED).scores
        assert compiled.tolist() == plain_scores(configured, 10 * SCORED), name(case)
