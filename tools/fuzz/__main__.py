"""`make fuzz`: bad input in bulk, guided by what it reaches; a short run of it is among the tests.

Records, component files, options and the WebSocket's messages are fuzzed with atheris (where it does not
install, with Hypothesis), beginning with the corpus in tests/fuzz/corpus/; the HTTP API with schemathesis.
An input that is found to be bad goes into the corpus, where every test run tries it again.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
CORPUS: Final = ROOT / "tests" / "fuzz" / "corpus"
NAMES: Final = ("record", "components", "options", "protocol")
#: by target
MAX_INPUT_BYTES: Final = {"record": 8192, "components": 8192, "options": 8192, "protocol": 4096}


class Outcome(NamedTuple):
    """The number of inputs, and the problems found, as text."""

    tried: int
    found: str


def fuzz(name: str, runs: int, seconds: int = 0, luck: int = 1) -> Outcome:
    """Fuzz one target with `runs` inputs, or for `seconds` if they are given."""
    if find_spec("atheris") is not None:
        return _guided(name, runs, seconds, luck)
    from tools.fuzz import unguided
    from tools.fuzz.targets import TARGETS

    try:
        # about a thousand inputs a second
        return Outcome(unguided.run(TARGETS[name], CORPUS / name, seconds * 1000 or runs, luck), "")
    except Exception as error:  # noqa: BLE001 - that is what was looked for
        return Outcome(0, repr(error))


def _guided(name: str, runs: int, seconds: int, luck: int) -> Outcome:
    with tempfile.TemporaryDirectory() as new:
        bounds = [f"-max_total_time={seconds}"] if seconds else [f"-runs={runs}"]
        done = subprocess.run(
            [
                *(sys.executable, "-m", "tools.fuzz.guided", name, new, str(CORPUS / name)),
                *(
                    *bounds,
                    f"-seed={luck}",
                    f"-max_len={MAX_INPUT_BYTES[name]}",
                    f"-dict={CORPUS / 'words.dict'}",
                ),
                *(
                    "-timeout=20",
                    "-print_final_stats=1",
                    f"-artifact_prefix={CORPUS / name}/",
                    "-verbosity=1",
                ),
            ],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd=ROOT,
        )
    tried = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    bad = done.returncode != 0
    return Outcome(int(tried[1]) if tried else 0, (done.stdout + done.stderr)[-4000:] if bad else "")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz")
    parser.add_argument(
        "targets", nargs="*", default=[*NAMES, "api"], help="of these; all unless some are named"
    )
    parser.add_argument("--seconds", type=int, default=120, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    bad = 0
    for name in chosen.targets:
        if name == "api":
            from tools.fuzz import api

            outcome = Outcome(*api.run(examples=max(1, chosen.seconds * 2), luck=chosen.seed))
        else:
            outcome = fuzz(name, 0, chosen.seconds, chosen.seed)
        bad += bool(outcome.found)
        print(
            f"{name}: {outcome.tried} inputs, {'found:' if outcome.found else 'nothing found'}", flush=True
        )
        if outcome.found:
            print(outcome.found)
    raise SystemExit(bad > 0)


if __name__ == "__main__":
    main()
