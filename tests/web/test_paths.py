"""Names and paths of all kinds: nothing that a stranger asks for ends in a failure."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.asgi import Browser, served

PLACES = (
    "/static/{}",
    "/static/app/{}.js",
    "/static/games/{}/board.js",
    "/static/games/crowns/{}",
    "/i18n/{}.json",
    "/api/rules/{}",
    "/api/rules/crowns?language={}",
    "/api/components/{}",
    "/api/tables/{}/record",
    "/api/tables/{}/replay",
    "/api/tables/x/replay?from={}",
    "/t/{}",
    "/new/{}",
    "/{}",
)
NAMES = st.one_of(
    st.text(st.characters(exclude_characters="?"), max_size=40),
    st.sampled_from(
        [
            "\0", "\0.js", "a\nb", "\r\n", "\ud800", "..", "../..", ".", "", " ", "%00", "x" * 10_000, "x" * 256,
            "ä" * 200, "/" * 50, "js", "js/", "nul", "a\u2028b", "-1", "9" * 5000,
        ]
    ),
)  # fmt: skip


@served()
async def test_no_name_whatever_ends_in_a_failure(browser: Browser) -> None:
    loop = asyncio.get_running_loop()
    tried = 0

    @settings(max_examples=150, deadline=None)
    @given(st.sampled_from(PLACES), NAMES)
    def ask(place: str, name: str) -> None:
        nonlocal tried
        tried += 1
        if "?" in place:
            name = name.encode("ascii", "ignore").decode()
        asked = asyncio.run_coroutine_threadsafe(browser.get(place.format(name)), loop)
        assert asked.result(30).status in (200, 307, 400, 404)

    await asyncio.to_thread(ask)
    assert tried > 50


@served()
async def test_a_websocket_to_an_impossible_name_is_refused(browser: Browser) -> None:
    for name in ("\0", "x" * 10_000, "a\nb"):
        assert (await browser.open(name).raw())["status"] == 404
