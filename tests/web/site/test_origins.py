"""A server and a site of another origin, and a site that a server serves itself."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from pasch.core.errors import PaschError
from pasch.web.files import MountedSite
from pasch.web.site import engine
from pasch.web.site.build import build
from pasch.web.site.engine import find_parts
from pasch.web.site.page import BadOrigin, read_origin
from tests.web.asgi import Browser, server
from tests.web.site.small_parts import small_parts

SITE = "https://games.example"
WISH = {"game": "crowns", "seats": [{"kind": "here"}]}


@pytest.mark.settings(sites=[SITE])
async def test_only_a_site_that_the_server_names_may_ask(browser: Browser) -> None:
    ours, theirs = {"origin": SITE}, {"origin": "https://evil.example"}
    wants = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    asked = await browser.request("OPTIONS", "/api/tables", headers={**ours, **wants})
    assert asked.status == 200 and asked.headers["access-control-allow-origin"] == SITE
    made = await browser.post("/api/tables", WISH, headers=ours)
    assert made.status == 201 and made.headers["access-control-allow-origin"] == SITE
    assert made.headers["vary"] == "Origin" and "access-control-allow-credentials" not in made.headers
    socket = browser.open(made.json["id"], headers=ours)
    assert (await socket.hello(made.json["watch"]))["type"] == "welcome"
    refused = await browser.get("/api/tables/none/record", headers=ours)
    assert refused.status == 404 and refused.headers["access-control-allow-origin"] == SITE, (
        "it can say why"
    )

    for method, path in (("OPTIONS", "/api/tables"), ("POST", "/api/tables")):
        answer = await browser.request(method, path, headers={**theirs, **wants})
        assert answer.status == 403 and "access-control-allow-origin" not in answer.headers
    assert "access-control-allow-origin" not in (await browser.get("/api/games", headers=theirs)).headers
    # nothing but the tables is for sites
    for path in ("/", "/metrics", "/healthz"):
        assert "access-control-allow-origin" not in (await browser.get(path, headers=ours)).headers


async def test_without_sites_everything_is_as_before(browser: Browser) -> None:
    assert (await browser.post("/api/tables", WISH, headers={"origin": SITE})).status == 403


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("https://Pasch.example/", "https://pasch.example"),
        ("http://localhost:8615", "http://localhost:8615"),
        ("https://pasch.example:443", "https://pasch.example"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_origins_are_written_as_browsers_write_them(written: str, origin: str) -> None:
    assert read_origin(written) == origin


@pytest.mark.parametrize(
    "written",
    ["", "pasch.example", "https://pasch.example/x", "https://u@h", "https://a b", "ftp://x", "*"],
)
def test_what_is_no_origin(written: str) -> None:
    with pytest.raises(BadOrigin):
        read_origin(written)


async def test_a_server_serves_a_site_for_those_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "find_node", lambda: None)
    folder = build(tmp_path / "out", find_parts(small_parts(tmp_path / "parts")), server="self").folder
    async with server(tmp_path, offline=MountedSite(folder)) as browser:
        page = await browser.get("/app/")
        assert page.body == (folder / "index.html").read_bytes()
        # a worker's policy is what its own answer says
        path = f"/app/{next(folder.rglob('worker.js')).relative_to(folder).as_posix()}"
        worker = await browser.get(path)
        assert "'wasm-unsafe-eval'" in worker.headers["content-security-policy"]
        assert worker.headers["content-security-policy"].endswith("frame-ancestors 'none'")
        wasm = await browser.get("/app/engine/pyodide.asm.wasm")
        assert wasm.headers["content-type"] == "application/wasm"
        small = await browser.get(path, headers={"accept-encoding": "gzip"})
        assert small.headers["content-encoding"] == "gzip" and gzip.decompress(small.body) == worker.body
        assert small.headers["vary"] == worker.headers["vary"] == "accept-encoding"
        assert small.headers["etag"] != worker.headers["etag"] and "content-encoding" not in worker.headers
        again = await browser.get(
            "/app/sw.js", headers={"if-none-match": (await browser.get("/app/sw.js")).headers["etag"]}
        )
        assert again.status == 304
        for missing in ("/app/none.js", "/app/../secret", "/app/static"):
            assert (await browser.get(missing)).status == 404
        home = await browser.get("/")
        assert b'data-app="/app/"' in home.body
        assert "unsafe" not in home.headers["content-security-policy"]


async def test_every_server_has_a_manifest_and_a_service_worker(browser: Browser) -> None:
    assert (await browser.get("/manifest.webmanifest")).headers[
        "content-type"
    ] == "application/manifest+json"
    assert (await browser.get("/sw.js")).headers["content-type"].startswith("text/javascript")
    assert (await browser.get("/static/offline.html")).status == 200
    assert b"data-app" not in (await browser.get("/")).body and (await browser.get("/app/")).status == 404


def test_what_is_no_site_is_not_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PaschError, match="no site"):
        MountedSite(tmp_path)
    monkeypatch.setattr(engine, "find_node", lambda: None)
    build(tmp_path / "out", find_parts(small_parts(tmp_path / "parts")))
    with pytest.raises(PaschError, match="--server self"):
        MountedSite(tmp_path / "out")
