"""One target under atheris, which watches which lines are reached: `python -m tools.fuzz.guided TARGET …`.

The further arguments are libFuzzer's own. It exits the process when it is done.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["pasch"], enable_loader_override=False):
    from tools.fuzz.targets import TARGETS


def main() -> None:
    target = TARGETS[sys.argv[1]]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
