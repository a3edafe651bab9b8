"""Whole games in compiled code on one core: our batches beside OpenSpiel's C++ and pgx."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from bench.clock import per_cpu_second
from bench.peers import Peer
from bench.peers import open_spiel as open_spiel_from_python
from pasch import find_game
from pasch.lab.batch import Batch, batch
from pasch.lab.simulation import Simulation

#: game, options, the decisions of random players per CPU-second that we mean to reach
OURS: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("fiese15", {}, 5_000_000),
    ("fiese15", {"handicap": True}, 5_000_000),
    ("joker1", {}, 5_000_000),
    ("joker2", {}, 5_000_000),
    ("lines", {"plans": [1]}, 5_000_000),
    ("lines", {"plans": [4]}, 5_000_000),
    ("crowns", {}, 500_000),
    ("sixbysix", {}, 500_000),
)
PLAYERS = ("random", "greedy", "perfect")
#: Crowns for one
ALONE: tuple[dict[str, Any], ...] = ({}, {"solo_minimum": 2})
#: where a whole game takes too long to be measured
SHORT: dict[tuple[str, str], dict[str, Any]] = {("sixbysix", "perfect"): {"round_limit": 1}}
#: CPU-seconds of work between two looks at the clock, about
STRETCH = 0.1


def main() -> None:
    print("Two-player games in compiled code, decisions per CPU-second, one core")
    print(f"{'engine':<18}{'game':<32}{'players':<10}{'decisions/s':>14}{'target':>12}")
    for name, options, target in OURS:
        for player in PLAYERS:
            # the tables of plan 4's values take half a minute to make
            if player == "perfect" and options.get("plans") == [4]:
                continue
            chosen = options | SHORT.get((name, player), {})
            label = name + "".join(f" {key}={value}" for key, value in chosen.items())
            games = batch(find_game(name).agree(2, chosen), [player] * 2)
            aim = f"{target:,}" if player == "random" else ""
            speed = per_cpu_second(_work(games), seconds=2.0 if aim else 0.6)
            print(f"{'Pasch':<18}{label:<32}{player:<10}{speed:>14,.0f}{aim:>12}", flush=True)
    for options in ALONE:
        games = batch(find_game("crowns").agree(1, options), ["perfect"])
        label = "crowns alone" + "".join(f" {key}={value}" for key, value in options.items())
        speed = per_cpu_second(_work(games), seconds=2.0)
        print(f"{'Pasch':<18}{label:<32}{'perfect':<10}{speed:>14,.0f}", flush=True)
    for engine, label, work in peers():
        if label.startswith("not installed"):
            print(f"{engine:<18}{label}")
        else:
            print(f"{engine:<18}{label:<32}{'random':<10}{per_cpu_second(work):>14,.0f}", flush=True)
    _threads()


def _work(games: Batch) -> Callable[[], int]:
    """A function that plays a batch of games, large enough that reading the clock costs nothing."""
    number, spent = 1, 0.0
    games.play(1, "warm up")
    while spent < STRETCH / 2 and number < 1 << 20:
        number *= 2
        begun = time.process_time()
        games.play(number, "how many")
        spent = time.process_time() - begun
    return lambda: games.play(number, "bench").decisions


def _threads() -> None:
    """Measure all cores, and the memory that they take."""
    game, decisions = find_game("fiese15").agree(2), 0
    list(Simulation(game, ["random"] * 2, 1_000, "warm up").parts())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun, cpu = time.perf_counter(), time.process_time()
    for part in Simulation(game, ["random"] * 2, 500_000, "bench").parts():
        decisions += part.decisions
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(
        f"500,000 games of fiese15 on all cores: {decisions / seconds:,.0f} decisions per second on"
        f" {cpu / seconds:.1f} cores; memory grew by {grown:.0f} MiB"
    )


# --- others -----------------------------------------------------------------------------------------


def peers() -> Iterator[Peer]:
    """Triples (engine, game, work), where work plays random games and counts their decisions."""
    for name, source in (
        ("OpenSpiel C++", _open_spiel),
        ("OpenSpiel Python", open_spiel_from_python),
        ("pgx on the CPU", _pgx),
    ):
        try:
            for _, game, work in source():
                yield name, game, work
        except (ImportError, AttributeError) as missing:
            # pgx may be there without the JAX that it was written for
            yield name, f"not installed ({missing.name})", lambda: 0


def _open_spiel() -> Iterator[Peer]:
    """Whole games in OpenSpiel's C++, with uniform random bots in all seats.

    The decisions are counted in a few games beforehand: to ask for the history costs more than the game.
    """
    import pyspiel

    for name in ("pig", "yacht", "liars_dice"):
        game = pyspiel.load_game(name)
        bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
        counted = []
        for seed in range(500):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, seed)
            counted.append(sum(step.player >= 0 for step in state.full_history()))
        mean = sum(counted) / len(counted)

        def play(game: Any, bots: Any, mean: float) -> int:
            for seed in range(100):
                pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
            return round(100 * mean)

        yield "OpenSpiel", name, partial(play, game, bots, mean)


def _pgx() -> Iterator[Peer]:
    """Many games side by side, compiled by JAX; finished ones restart."""
    import jax  # type: ignore[import-not-found,unused-ignore]
    import jax.numpy as jnp  # type: ignore[import-not-found,unused-ignore]
    import pgx  # type: ignore[import-not-found,unused-ignore]
    from pgx.experimental import auto_reset  # type: ignore[import-not-found,unused-ignore]

    side_by_side, steps = 1024, 64
    for name in ("backgammon", "2048", "leduc_holdem"):
        env = pgx.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        def once(state: Any, key: Any, step: Any = step) -> Any:
            first, second = jax.random.split(key)
            logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            action = jax.random.categorical(first, logits, axis=-1)
            return step(state, action, jax.random.split(second, side_by_side)), None

        def run(state: Any, key: Any, once: Any = once) -> Any:
            return jax.lax.scan(once, state, jax.random.split(key, steps))[0]

        begin = jax.jit(jax.vmap(env.init))
        state = begin(jax.random.split(jax.random.PRNGKey(0), side_by_side))

        def play(run: Any, held: list[Any]) -> int:
            held[1], key = jax.random.split(held[1])
            held[0] = jax.block_until_ready(run(held[0], key))
            return side_by_side * steps

        held = [state, jax.random.PRNGKey(1)]
        yield "pgx", f"{name} ({side_by_side} at once)", partial(play, jax.jit(run), held)


if __name__ == "__main__":
    main()
