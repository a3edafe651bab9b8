"""Pages, files, questions over HTTP, and the headers of every answer."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pasch import all_games
from pasch.core import languages, registry, texts
from pasch.table.helpers import Job
from pasch.web import answers, files, http
from pasch.web.security import policy
from tests.web.asgi import HOST, Browser, ScriptedHelper, looped, served, server, with_server
from tests.web.test_playing import SHORT

GAMES = [game.id for game in all_games()]


def ask(tmp_path: Path, method: str, path: str, **more: Any) -> Any:
    return with_server(tmp_path, lambda browser: browser.request(method, path, **more))


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small client in a folder of its own."""
    root = tmp_path / "static"
    (root / "app").mkdir(parents=True)
    script = '<script type="module" src="/static/app/main.js"></script>'
    (root / "index.html").write_text(f"<!doctype html><title>Pasch</title>{script}", "utf-8")
    later = 'export function open() {\n  return import("./later.js");\n}\n'
    (root / "app" / "main.js").write_text(f'import {{ x }} from "./part.js";\n{later}', "utf-8")
    (root / "app" / "later.js").write_text("export const y = 0;", "utf-8")
    (root / "app" / "part.js").write_text("export const x = 0;", "utf-8")
    (root / "notes.md").write_text("not for the browser", "utf-8")
    (tmp_path / "secret.txt").write_text("no", "utf-8")
    monkeypatch.setattr(files, "STATIC", root)
    return root


@pytest.mark.parametrize("path", ["/", "/t/abc", "/new/crowns", "/rules/crowns", "/report/abc"])
def test_every_page_is_the_one_page(path: str, small: Path, tmp_path: Path) -> None:
    answer = ask(tmp_path, "GET", path)
    assert answer.status == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
    assert b"Pasch" in answer.body


@served()
async def test_every_answer_tells_the_browser_what_to_forbid(browser: Browser, small: Path) -> None:
    for path in (
        "/",
        "/static/app/main.js",
        "/api/games",
        "/nowhere",
        "/api/tables/x/record",
        "/healthz",
    ):
        headers = (await browser.get(path)).headers
        assert headers["content-security-policy"] == policy(HOST)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] in ("no-cache", "no-store")


def test_the_policy_allows_nothing_but_what_comes_from_here() -> None:
    rules = dict(part.strip().split(" ", 1) for part in policy(HOST).split(";"))
    assert rules["default-src"] == "'none'" and rules["script-src"] == "'self'" == rules["style-src"]
    assert {rules[name] for name in ("base-uri", "form-action", "frame-ancestors")} == {"'none'"}
    assert "unsafe" not in policy(HOST) and "*" not in policy(HOST)


@served()
async def test_files_have_types_and_are_asked_about_only_once(browser: Browser, small: Path) -> None:
    first = await browser.get("/static/app/main.js")
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    tag = first.headers["etag"]
    again = await browser.get("/static/app/main.js", headers={"if-none-match": f'"x", W/{tag}'})
    assert (again.status, again.body) == (304, b"")


@looped
async def test_a_page_has_modules_of_one_version(small: Path, tmp_path: Path) -> None:
    """Files that change under a running server, and a server that was upgraded since, never mix with others."""
    main = small / "app" / "main.js"
    (tmp_path / "upgraded").mkdir()
    async with server(tmp_path) as browser:
        page = (await browser.get("/")).body.decode()
        [address] = re.findall(r'src="(/v/\w+/static/app/main.js)"', page)
        assert "later.js" not in page, "what is loaded when it is wanted"
        assert f'<link rel="modulepreload" href="{address.replace("main", "part")}">' in page
        first = await browser.get(address)
        assert first.body == main.read_bytes() and "immutable" in first.headers["cache-control"]
        main.write_text("export const x = 1;", "utf-8")
        assert (await browser.get(address)).body == first.body
        files.client_files.cache_clear()
        async with server(tmp_path / "upgraded") as upgraded:
            assert (await upgraded.get(address)).status == 404
            [other] = re.findall(
                r'src="(/v/\w+/static/app/main.js)"', (await upgraded.get("/")).body.decode()
            )
            assert (await upgraded.get(other)).body == main.read_bytes()


@served()
async def test_what_is_the_same_for_everybody_is_sent_compressed(browser: Browser) -> None:
    for path in (
        "/",
        "/static/index.html",
        "/static/games/crowns/board.js",
        "/i18n/de.json",
        "/api/games",
    ):
        plain = await browser.get(path)
        packed = await browser.get(path, headers={"accept-encoding": "br, gzip;q=0.8"})
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body and len(packed.body) < len(plain.body)
        assert packed.headers["content-type"] == plain.headers["content-type"]
        assert plain.headers["vary"] == packed.headers["vary"] == "accept-encoding"
        # caches keep both separately
        tag = packed.headers["etag"]
        assert tag != plain.headers["etag"]
        asked = {"accept-encoding": "gzip", "if-none-match": tag}
        assert (await browser.get(path, headers=asked)).status == 304
        assert (await browser.get(path, headers={"if-none-match": tag})).body == plain.body
        refused = await browser.get(path, headers={"accept-encoding": "gzip;q=0, identity"})
        assert refused.body == plain.body


def test_a_file_is_compressed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compressed: list[int] = []

    def count(body: bytes, *how: Any, **more: Any) -> bytes:
        compressed.append(len(body))
        return b"x"

    monkeypatch.setattr(gzip, "compress", count)
    http.common.cache_clear()

    async def run(browser: Browser) -> None:
        for _ in range(3):
            await browser.get("/static/index.html", headers={"accept-encoding": "gzip"})
        assert len(compressed) == 1

    with_server(tmp_path, run)
    http.common.cache_clear()


@pytest.mark.parametrize(
    "path",
    [
        "/static/../secret.txt",
        "/static/app/../../secret.txt",
        "/static//etc/passwd",
        "/static/notes.md",
        "/static/app",
        "/static/",
        "/static/none.js",
        "/nowhere",
        "/static/games/crowns/rules.py",
        "/static/games/crowns/box.toml",
        "/static/games/crowns/../../secret.txt",
        "/static/games/chess/board.js",
        "/static/games/crowns",
        "/i18n/../secret.json",
        "/api/games?language=xx",
        "/api/rules/chess",
        "/api/rules/crowns?language=xx",
        "/api/lessons/chess",
        "/api/components/chess",
        "/api/tables/none/record",
        "/api/tables/none/report",
    ],
)
def test_what_is_not_there_is_refused(path: str, small: Path, tmp_path: Path) -> None:
    answer = ask(tmp_path, "GET", path)
    assert answer.status == 404 and answer.json["type"] == "refused"
    assert answer.json["code"] in ("not-found", "no-table") and answer.json["reason"]["template"]


def test_the_games_are_described(tmp_path: Path) -> None:
    games = {game["id"]: game for game in ask(tmp_path, "GET", "/api/games").json}
    assert sorted(games) == sorted(GAMES)
    assert games["sixbysix"]["has_secrets"] and not games["crowns"]["has_secrets"]
    assert games["fiese15"]["players"] == [1, 2, 3, 4, 5, 6]
    levels = games["joker1"]["levels"]
    assert [level["name"] for level in levels] == ["easy", "medium", "hard", "winner", "perfect"]
    assert levels[0]["against"] == "medium" and levels[0]["wins"] < 0.5 < levels[3]["wins"]
    assert levels[0]["gives_away"] > levels[1]["gives_away"] and levels[-1]["gives_away"] == 0.0
    assert games["joker1"]["options"][0]["name"] == "rounds"
    assert games["fiese15"]["files"] == ["board.js", "board.css", "thumb.svg"]


def test_the_games_are_described_in_the_language_asked_for(tmp_path: Path) -> None:
    english, german = (
        {game["id"]: game for game in ask(tmp_path, "GET", f"/api/games?language={language}").json}
        for language in ("en", "de")
    )
    for game in all_games():
        one, other = english[game.id], german[game.id]
        assert one["pitch"] == game.pitch != other["pitch"]
        assert len(one["howto"]) == len(other["howto"]) >= 3 and one["howto"] != other["howto"]
        pairs = zip(one["options"], other["options"], strict=True)
        assert all(spec["explanation"] != reply["explanation"] for spec, reply in pairs)


RULES = """'Nobody moves.'

from typing import Literal, NamedTuple

from pasch import OVER, BySeat, Components, Dice, Game, Options, SeatEvent, State


class Roll(SeatEvent, frozen=True):
    roll: int


class Config(NamedTuple):
    players: int


class Position(State, frozen=True):
    phase: Literal["roll", "over"]
    seat: int
    totals: BySeat


def roll(g, s, face):
    s.actor, s.phase = OVER, 1


class Box(Components, frozen=True, kw_only=True):
    def check(self, players):
        pass

    def provenance(self):
        return ()


class Tiny(Game[Options, Box]):
    id = "tiny"
    title = "Tiny"
    pitch = "Nothing happens."
    seats = range(1, 3)
    minutes = (1, 1)
    Options = Options
    Components = Box
    Position = Position
    phases = {"roll": Dice(Roll, 1, then=roll)}

    def configure(self):
        return Config(self.players)
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game of a third-party package, with rules only."""
    folder = tmp_path / "tiny_game"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "rules.py").write_text(RULES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "packages", lambda: {"tiny": "tiny_game"})
    forget()
    yield folder
    forget()


def forget() -> None:
    """Clear the caches."""
    for kept in (
        answers.games,
        answers.rules,
        answers.components,
        answers.catalogue,
        languages.languages,
        texts.messages,
        texts._strings,
        files.client_files,
    ):
        kept.cache_clear()


def test_a_game_of_another_package_brings_what_it_has(tiny: Path, tmp_path: Path) -> None:
    async def run(browser: Browser) -> None:
        [game] = (await browser.get("/api/games?language=de")).json
        assert (game["pitch"], game["howto"], game["files"]) == ("Nothing happens.", [], [])
        assert (await browser.get("/static/games/tiny/board.js")).status == 404
        assert game["lesson"] is False and (await browser.get("/api/lessons/tiny")).status == 404
        reply = (await browser.get("/api/rules/tiny")).json
        assert reply["markdown"] == "# Tiny\n\nNobody moves.\n"

    async def run_again(browser: Browser) -> None:
        [game] = (await browser.get("/api/games?language=de")).json
        assert (game["pitch"], game["howto"]) == (
            "Nichts passiert.",
            [{"text": "Do nothing.", "when": {}}, {"text": "Stop.", "when": {}}],
        )
        assert game["files"] == ["board.js"]
        drawing = await browser.get("/static/games/tiny/board.js")
        assert drawing.headers["content-type"] == "text/javascript; charset=utf-8"
        tag = drawing.headers["etag"]
        again = await browser.get("/static/games/tiny/board.js", headers={"if-none-match": tag})
        assert again.status == 304
        # texts without a German version come in English
        rules = (await browser.get("/api/rules/tiny?language=de")).json["markdown"]
        assert rules == "# Tiny\n\n## Goal\n\nNone.\n"

    with_server(tmp_path / "data", run)
    (tiny / "board.js").write_text("export const ownBoards = true;")
    (tiny / "en.md").write_text("# Tiny\n\n1. Do\n   nothing.\n2. Stop.\n\n## Goal\n\nNone.\n")
    (tiny / "de.po").write_text('msgid "Nothing happens."\nmsgstr "Nichts passiert."\n')
    forget()
    with_server(tmp_path / "data", run_again)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
@served()
async def test_a_box_is_checked(browser: Browser, game: Any) -> None:
    known = (await browser.get(f"/api/components/{game.id}")).json
    assert known["game"] == game.default_components().game
    assert (await browser.post(f"/api/components/{game.id}", known)).json["ok"]
    wrongs: list[Any] = [{**known, "game": "chess"}, {**known, "more": 1}, [], {}]
    for wrong in wrongs:
        answer = (await browser.post(f"/api/components/{game.id}", wrong)).json
        assert not answer["ok"] and answer["place"] and answer["reason"]["template"]


WRONG_TABLES = [
    ({"game": "chess", "seats": [{"kind": "here"}]}, 422),
    ({"game": "crowns", "seats": []}, 400),
    ({"game": "crowns", "seats": [{"kind": "here"}] * 7}, 400),
    ({"game": "lines", "seats": [{"kind": "here"}] * 5}, 422),
    ({"game": "crowns", "seats": [{"kind": "king"}]}, 400),
    ({"game": "crowns", "seats": [{"kind": "computer"}]}, 422),
    ({"game": "crowns", "seats": [{"kind": "computer", "level": "nobody"}]}, 422),
    ({"game": "crowns", "seats": [{"kind": "computer", "level": "mybot.py:Bot"}]}, 422),
    ({"game": "crowns", "seats": [{"kind": "here", "name": "x" * 25}]}, 400),
    ({"game": "crowns", "seats": [{"kind": "here", "name": "\u0007"}]}, 400),
    ({"game": "crowns", "seats": [{"kind": "here"}], "options": {"rounds": 3}}, 422),
    ({"game": "joker1", "seats": [{"kind": "here"}], "options": {"rounds": 0}}, 422),
    ({"game": "joker1", "seats": [{"kind": "here"}], "events": [{"seat": 0, "roll": [9]}]}, 422),
    ({"game": "joker1", "seats": [{"kind": "here"}], "coach": "loud"}, 400),
    ({"game": "joker1", "seats": [{"kind": "here"}], "more": 1}, 400),
    ([], 400),
]


@pytest.mark.parametrize(("wish", "status"), WRONG_TABLES, ids=range(len(WRONG_TABLES)))
def test_impossible_tables_are_refused(wish: Any, status: int, tmp_path: Path) -> None:
    answer = ask(tmp_path, "POST", "/api/tables", data=wish)
    assert answer.status == status and answer.json["reason"]["template"], answer.json


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b'{"game":1e999}'])
def test_broken_bodies_are_refused(body: bytes, tmp_path: Path) -> None:
    answer = ask(tmp_path, "POST", "/api/tables", body=body)
    assert answer.status == 400 and answer.json["code"] == "malformed"


def test_a_body_that_is_too_long_is_refused(tmp_path: Path) -> None:
    answer = ask(tmp_path, "POST", "/api/tables", body=b" " * (5 * 1024 * 1024))
    assert answer.status == 413 and answer.json["code"] == "too-large"


def test_tokens_are_shown_once_and_kept_as_hashes(tmp_path: Path) -> None:
    async def run(browser: Browser) -> dict[str, Any]:
        return await browser.make("joker1", "here", "link")

    made = with_server(tmp_path, run)
    written = b"".join(path.read_bytes() for path in tmp_path.glob("tables.sqlite*"))
    tokens = [*made["seats"].values(), *made["invitations"].values(), made["watch"], made["maker"]]
    assert len(set(tokens)) == 4 and all(len(token) >= 22 for token in tokens)
    assert all(token.encode() not in written for token in tokens)


@served()
async def test_lots_decide_who_begins(browser: Browser) -> None:
    seats = set()
    for _ in range(40):
        made = await browser.make("joker1", "here", "greedy", draw_lots=True)
        seats |= set(made["seats"])
    assert seats == {"0", "1"}


@served()
async def test_the_record_of_an_unfinished_game_stays_closed(browser: Browser) -> None:
    made = await browser.make("sixbysix", "here", "greedy")
    for what in ("record", "replay", "report", "receipt", "practice"):
        answer = await browser.get(f"/api/tables/{made['id']}/{what}")
        assert answer.status == 409 and answer.json["code"] == "not-now"


async def finished(browser: Browser) -> str:
    made = await browser.make("joker1", "random", options=SHORT["joker1"])
    watcher = browser.open(made["id"])
    position = (await watcher.hello(made["watch"]))["position"]
    while position["actor"] != -2:
        position = (await watcher.hear("update"))["position"]
    return str(made["id"])


@looped
async def test_a_report_that_takes_longer_than_a_request_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pasch.web.archive.REPORT_TIMEOUT_SECONDS", 0.001)

    class Slow(ScriptedHelper):
        async def run(self, job: Job, seconds: float, build: bool) -> bytes:
            await gate.wait()
            return await super().run(job, seconds, build)

    gate = asyncio.Event()
    helper = Slow(report=lambda asked: {"done": True})
    async with server(tmp_path, helper=helper) as browser:
        table = await finished(browser)
        assert (await browser.get(f"/api/tables/{table}/report")).status == 202
        gate.set()
        while (answer := await browser.get(f"/api/tables/{table}/report")).status == 202:
            pass
        assert answer.json == {"done": True} and len(helper.asked) == 1


@served(helper=ScriptedHelper(report=lambda asked: {"done": True}))
async def test_a_report_waits_while_too_much_is_to_be_done(browser: Browser) -> None:
    table = await finished(browser)
    browser.lobby.helpers._queues["long"]._max_waiting = 0
    assert (await browser.get(f"/api/tables/{table}/report")).status == 202
    browser.lobby.helpers._queues["long"]._max_waiting = 1
    assert (await browser.get(f"/api/tables/{table}/report")).json == {"done": True}


@served()
async def test_no_report_where_there_is_no_coach(browser: Browser) -> None:
    answer = await browser.get(f"/api/tables/{await finished(browser)}/report")
    assert answer.status == 501 and answer.json["code"] == "not-ready"


@served()
async def test_a_mistake_of_ours_shows_no_traceback(
    browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("secret particulars")

    browser.lobby.make = broken  # type: ignore[method-assign]
    got = []

    async def send(message: dict[str, Any]) -> None:
        got.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b'{"game":"crowns","seats":[{"kind":"here"}]}'}

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/tables",
        "query_string": b"",
        "headers": [(b"host", HOST.encode())],
    }
    with pytest.raises(ZeroDivisionError):
        await browser.app(scope, receive, send)
    assert got[0]["status"] == 500 and b"secret" not in got[1]["body"]


def test_a_catalogue_is_told_with_its_plural_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "de.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        '#: pages/home.js\nmsgid "Roll"\nmsgstr "Würfeln"\n\n'
        'msgid "{n} point"\nmsgid_plural "{n} points"\nmsgstr[0] "{n} Punkt"\nmsgstr[1] "{n} Punkte"\n\n'
        'msgid "not yet"\nmsgstr ""\n',
        "utf-8",
    )  # fmt: skip
    monkeypatch.setattr(languages, "LOCALE", tmp_path)
    monkeypatch.setattr(texts, "LOCALE", tmp_path)
    monkeypatch.setattr(answers, "game_ids", tuple)
    forget()

    async def run(browser: Browser) -> None:
        reply = (await browser.get("/i18n/fr,de-AT,en.json")).json
        assert (reply["language"], reply["languages"]) == ("de", ["de", "en"])
        # the server says one of both forms, and both lead to all of the translation's
        points = ["{n} Punkt", "{n} Punkte"]
        assert reply["templates"] == {"Roll": "Würfeln", "{n} point": points, "{n} points": points}
        assert reply["forms"] == {"one": 0, "other": 1}
        assert (await browser.get("/i18n/fr.json")).json["language"] == "en"
        assert (await browser.get("/i18n/en.json")).json["templates"] == {}
        first = (await browser.get("/i18n/de.json?first")).json
        assert first["templates"] == {"Roll": "Würfeln"}

    with_server(tmp_path, run)
    forget()


def test_the_catalogue_has_the_texts_of_games_but_not_on_the_first_page(tmp_path: Path) -> None:
    every = ask(tmp_path, "GET", "/i18n/de.json").json["templates"]
    assert every["Touch a die that fits"] and every["What shall we play?"]
    first = ask(tmp_path, "GET", "/i18n/de.json?first").json["templates"]
    assert "Touch a die that fits" not in first and first["What shall we play?"]
