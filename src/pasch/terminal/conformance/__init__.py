"""`pasch check GAME`: what holds for every game, tried in random games with every option."""

from __future__ import annotations

import time
import traceback
from pathlib import Path

from rich.text import Text

from pasch.core.registry import find_game
from pasch.terminal.conformance.cases import cases, few_cases
from pasch.terminal.conformance.properties import BEGINNING, WHOLE, check
from pasch.terminal.screen import console


def check_game(name: str, thorough: bool) -> bool:
    """Try all properties, print a line for each and say whether all hold; `thorough`: with every number of players."""
    screen, tried, well = console(wide=True), (cases if thorough else few_cases)(find_game(name)), True
    for wanted in (*WHOLE, *BEGINNING):
        begun, problem = time.perf_counter(), None
        try:
            check(wanted, tried)
        except Exception as error:  # noqa: BLE001 - the game may be anybody's code
            problem = error
        verdict, what = "ok    " if problem is None else "failed", wanted.__name__.replace("_", " ")
        screen.print(Text(f"{verdict}  {what}, {time.perf_counter() - begun:.1f} s"))
        if problem is not None:
            well = False
            at = traceback.extract_tb(problem.__traceback__)[-1]
            said = " ".join(str(problem).split()) or at.line or ""
            notes = "; ".join(getattr(problem, "__notes__", ()))
            screen.print(Text(f"        {type(problem).__name__}: {said}"), soft_wrap=True)
            screen.print(Text(f"        at {Path(at.filename).name}:{at.lineno}, {notes}"), soft_wrap=True)
    screen.print(f"{len(tried)} sets of options and numbers of players")
    return well
