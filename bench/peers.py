"""Other engines' random games through their own Python interfaces, where they are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

Peer = tuple[str, str, Callable[[], int]]


def peers() -> Iterator[Peer]:
    """Triples (engine, game, work), where work plays one random game and counts its decisions."""
    for source in (open_spiel, _rlcard, _pokerkit):
        try:
            yield from source()
        except ImportError as missing:
            yield source.__name__.strip("_"), f"not installed ({missing.name})", lambda: 0


def open_spiel() -> Iterator[Peer]:
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    generator = Random(1)

    def play(game: Any) -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(generator.choices(actions, weights)[0])
            else:
                state.apply_action(generator.choice(state.legal_actions()))
                decisions += 1
        return decisions

    for name in ("pig", "yacht", "liars_dice"):
        game = pyspiel.load_game(name)
        yield "OpenSpiel", name, partial(play, game)


def _rlcard() -> Iterator[Peer]:
    import rlcard  # type: ignore[import-not-found,import-untyped,unused-ignore]

    env = rlcard.make("leduc-holdem", config={"seed": 1})
    generator = Random(1)

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(generator.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    yield "RLCard", "leduc-holdem", play


def _pokerkit() -> Iterator[Peer]:
    from pokerkit import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
        Automation,
        FixedLimitTexasHoldem,
    )

    generator = Random(1)
    automations = tuple(Automation)

    def play() -> int:
        state = FixedLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 4, 200, 2)
        decisions = 0
        while state.status:
            choices = [
                act
                for can, act in (
                    (state.can_fold(), state.fold),
                    (state.can_check_or_call(), state.check_or_call),
                    (state.can_complete_bet_or_raise_to(), state.complete_bet_or_raise_to),
                )
                if can
            ]
            generator.choice(choices)()
            decisions += 1
        return decisions

    yield "PokerKit", "fixed-limit hold'em", play
