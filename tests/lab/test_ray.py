"""A real Ray cluster with two workers gives what one process gives, also when one of them is killed."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pasch.core.registry import find_game
from pasch.lab.checkpoint import Checkpoint
from pasch.lab.executors import WorkError
from pasch.lab.tournament import Deal, Tournament, play_tournament
from pasch.lab.work import parallel_map

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

    from pasch.lab.ray_work import connect

    connect("auto", 2)
    yield
    ray.shutdown()


def test_a_tournament_is_the_same_when_a_worker_of_the_cluster_is_killed(
    tmp_path: Path, cluster: None
) -> None:
    bot, mark = tmp_path / "mine.py", tmp_path / "died"
    bot.write_text(BOT, "utf-8")
    game = find_game("joker1").agree(2, {"rounds": 2})
    tournament = Tournament.of(game, ["greedy", "random", f"{bot}:last"], "3", luck=False)
    mark.touch()
    alone = list(play_tournament(tournament, 12))
    mark.unlink()
    with closing(Checkpoint(tmp_path / "run.jsonl", tournament.run(), Deal)) as checkpoint:
        played = play_tournament(tournament, 12, ray="auto", workers=2, checkpoint=checkpoint)
        assert list(played) == alone
    assert mark.exists(), "a worker has been killed"


def test_what_goes_wrong_on_a_cluster_is_raised_here(cluster: None) -> None:
    with pytest.raises(TypeError, match="bad operand"):
        list(parallel_map(_absolute, [-1, "one", 2], ray="auto"))


def _absolute(number: Any) -> Any:
    return abs(number)


def test_an_address_where_there_is_no_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    from pasch.lab.ray_work import connect

    def nobody(**settings: Any) -> None:
        raise ConnectionError("nobody answers")

    monkeypatch.setattr(ray, "init", nobody)
    with pytest.raises(WorkError, match=r"there is no Ray cluster at nowhere:1: nobody answers"):
        connect("nowhere:1", 1)
