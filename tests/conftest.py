"""Tables of the tests go to a folder of their own, which the processes of one run share."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import settings

# no test depends on how fast the machine is
settings.register_profile("pasch", deadline=None)
settings.load_profile("pasch")


#: a test of values or of batches for one game, by its id: its folder and the game
_OF_A_GAME: Final = re.compile(
    r"tests/(lab|coach)/\S+\[[^\]]*?(crowns|fiese15|joker1|joker2|lines|sixbysix)"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need the same compiled code go to the same process, so that it is compiled once."""
    for item in items:
        found = _OF_A_GAME.match(item.nodeid)
        if found is not None:
            item.add_marker(pytest.mark.xdist_group(" ".join(found.groups())))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests say of themselves in numbers: how much was tried, and what was found."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name == "said":
                terminalreporter.write_line(str(value))


@pytest.fixture(scope="session", autouse=True)
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "tables"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PASCH_CACHE", str(folder))
        yield
