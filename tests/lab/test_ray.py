"""A real Ray cluster with two workers gives what one process gives, also when one of them is killed."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pasch.core.errors import PaschError
from pasch.core.registry import find_game
from pasch.lab.simulation import Simulation
from pasch.lab.work import connect, parallel_map

if importlib.util.find_spec("ray") is None:
    pytest.skip("Ray does not support this system", allow_module_level=True)

#: plays the last move, and ends the process that it is in once, in the middle of a game
BOT = """
import os, signal
from pathlib import Path

MARK = Path(__file__).with_name("died")

def last(view, generator):
    if view.game.players == 2 and view.totals[1] > 0 and not MARK.exists():
        MARK.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return view.moves()[-1]
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Two workers, started as `--ray auto` does it, for all tests of this module."""
    import ray

    def own(address: str, **settings: Any) -> Any:
        """Find no cluster of others, which may run another Pasch."""
        if address == "auto":
            raise ConnectionError
        return init(address, **settings)

    init = ray.init
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ray, "init", own)
        connect("auto", 2)
    yield
    ray.shutdown()


def test_a_simulation_is_the_same_when_a_worker_of_the_cluster_is_killed(
    tmp_path: Path, cluster: None
) -> None:
    bot, mark = tmp_path / "mine.py", tmp_path / "died"
    bot.write_text(BOT, "utf-8")
    game = find_game("joker1").agree(2, {"rounds": 2})
    simulation = Simulation(game, [f"{bot}:last", "greedy"], 30, "3")
    mark.touch()
    alone = [part.scores.tolist() for part in simulation.parts(workers=1)]
    mark.unlink()
    assert [part.scores.tolist() for part in simulation.parts(workers=2, ray="auto")] == alone
    assert mark.exists(), "a worker has been killed"


def test_what_goes_wrong_on_a_cluster_is_raised_here(cluster: None) -> None:
    units: list[Any] = [-1, "one", 2]
    with pytest.raises(TypeError, match="bad operand"):
        list(parallel_map(abs, units, ray="auto"))


def test_an_address_where_there_is_no_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    def nobody(**settings: Any) -> None:
        raise ConnectionError("nobody answers")

    monkeypatch.setattr(ray, "init", nobody)
    with pytest.raises(PaschError, match=r"there is no Ray cluster at nowhere:1: nobody answers"):
        connect("nowhere:1", 1)
