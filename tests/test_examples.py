"""The examples run."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# --- learning ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_learner_with_a_table_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = example("learn_tabular")
    monkeypatch.setattr(learner, "ENVS", 32)
    monkeypatch.setattr(learner, "GAMES", 100)
    learner.main(1.0)
    assert "optimum 160.77" in capsys.readouterr().out
