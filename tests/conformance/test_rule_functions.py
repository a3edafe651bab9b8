"""Every game's rule functions: run plain on one object, they are the friendly states, event by event."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from pasch import all_games, find_game
from pasch.core.game import Game
from pasch.core.registry import AnyGame
from pasch.core.state import CHANCE
from pasch.lab.spaces import actions
from pasch.terminal.conformance import Case, agree, cases, name, sample_cases


def follow(game: Game[Any, Any], random: Random, most: int = 400) -> None:
    """Play at random with both, and compare after every event."""
    functions = game.rule_functions()
    g, state = game.config, game.start()
    s = state.unpack()
    numbered = actions(game)
    for _ in range(most):
        assert state.unpack() == s
        assert s.actor == state.actor
        if state.over:
            won: list[bool] = [False] * game.players
            if functions.winners:
                functions.winners(g, s, list(state.scores()), won)
                assert tuple(seat for seat in range(game.players) if won[seat]) == state.winners()
            break
        if state.actor == CHANCE:
            chance = state.chance()
            case = random.randrange(chance.total)
            state, left, total = state.apply(chance.pick(case)), case, chance.total
            while total:  # cards come one by one
                size = functions.cases(g, s)
                left, step = divmod(left, size)
                functions.chance(g, s, step)
                total = total // size if total > size else 0
        else:
            codes, moves = state.codes(), state.moves()
            assert len(codes) == len(moves) == len(set(codes)) <= game.max_moves
            assert [numbered.first[state.phase] + code for code in codes] == [
                numbered.number(m) for m in moves
            ]
            place = random.randrange(len(moves))
            functions.move(g, s, codes[place])
            state = state.apply(moves[place])
        out = [0] * game.players
        functions.scores(g, s, out)
        assert tuple(out) == state.scores()


@pytest.mark.parametrize("game", [game.id for game in all_games()])
@pytest.mark.parametrize("which", [sample_cases, pytest.param(cases, marks=pytest.mark.exhaustive)])
def test_rule_functions_are_the_states(which: Callable[[AnyGame], list[Case]], game: str) -> None:
    for case in which(find_game(game)):
        try:
            follow(agree(case), Random(name(case)))
        except AssertionError as error:
            raise AssertionError(name(case)) from error
