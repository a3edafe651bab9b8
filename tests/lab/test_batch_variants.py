"""Crowns and 6mal6 in batches: all variants and numbers of players, whole games, boxes of one's own."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from pasch.core.game import Game
from pasch.games.crowns import Chips, Crowns
from pasch.games.sixbysix import Amount, Copies, SixBySix
from pasch.lab.batch import batch
from tests.lab.games import Case, agree, name
from tests.lab.test_batch import compare

CROWNS: list[Case] = [
    ("crowns", 1, {}),
    ("crowns", 1, {"solo_minimum": 2, "split": True}),
    ("crowns", 2, {"split": True}),
    ("crowns", 6, {"round_limit": 8}),
]
CARDS: list[Case] = [
    ("sixbysix", seats, {"streets": streets, "round_limit": 30})
    for seats in range(2, 7)
    for streets in (False, True)
]


def with_box(
    game: type[Game[Any, Any]], players: int, options: dict[str, Any], **parts: Any
) -> Game[Any, Any]:
    """A game with some parts of its box changed."""
    usual = game.agree(players, options)
    changed = msgspec.structs.replace(usual.components, **parts)
    return game(players, msgspec.structs.replace(usual.options, components=changed))


def quick_lineup(players: int, first: int) -> tuple[str, ...]:
    return tuple(("random", "greedy")[(seat + first) % 2] for seat in range(players))


@pytest.mark.parametrize("case", CROWNS, ids=name)
def test_crowns_is_played_to_its_end_as_in_the_engine(case: Case) -> None:
    game = agree(case)
    for number in range(2):
        compare(game, quick_lineup(game.players, number), f"{name(case)} {number}")


@pytest.mark.parametrize("lineup", [("random", "perfect"), ("hard", "random", "easy")], ids=str)
def test_the_end_of_a_race_is_valued_as_in_the_engine(lineup: tuple[str, ...]) -> None:
    compare(Crowns.agree(len(lineup)), lineup, "race")


def test_the_rounds_that_are_left_alone_count_as_in_the_engine() -> None:
    compare(Crowns.agree(1, {"solo_minimum": 2, "round_limit": 5}), ("medium",), "alone")


def test_a_box_of_crowns_may_be_another_one() -> None:
    rows = Crowns.agree(1).components.rows
    flat = tuple(msgspec.structs.replace(row, crowns=(1, 0, 2, 0, 3, 4)) for row in rows)
    for players in (1, 3):
        game = with_box(Crowns, players, {}, rows=flat, chips=Chips(number=5))
        for number in range(3):
            compare(game, quick_lineup(players, number), number)


@pytest.mark.parametrize("case", CARDS, ids=name)
def test_6mal6_is_played_to_its_end_as_in_the_engine(case: Case) -> None:
    game = agree(case)
    for number in range(2):
        compare(game, quick_lineup(game.players, number), f"{name(case)} {number}")


def test_who_played_the_last_round_wins_even_without_chips() -> None:
    game = with_box(SixBySix, 3, {}, bonus=Amount(chips=0), start=Amount(chips=4))
    for number in range(8):
        compare(game, ("random",) * 3, number)
    played = batch(game, ["random"] * 3).play(50, "poor")
    assert np.any(played.scores.sum(axis=1) == 0) and np.all(played.winners.any(axis=1))


@pytest.mark.parametrize("streets", [False, True])
def test_a_pack_of_6mal6_may_be_another_one(streets: bool) -> None:
    deck = tuple(Copies(card=card, number=number) for card, number in ((2, 13), (3, 1), (5, 9), (9, 40)))
    game = with_box(SixBySix, 4, {"streets": streets, "round_limit": 4}, deck=deck)
    for number in range(3):
        compare(game, quick_lineup(4, number), number)
