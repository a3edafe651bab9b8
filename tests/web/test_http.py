"""Pages, files, questions over HTTP, games that have ended, names of all kinds, headers, and what is described."""

from __future__ import annotations

import gzip
import re
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tools import protocol

from pasch import all_games
from pasch.core import texts
from pasch.core.registry import find_game, find_part
from pasch.table import replay
from pasch.web import files
from pasch.web.security import HEADERS, policy
from pasch.web.site.bundle import _entry_points
from tests.games_of_others.installing import PIG, beside
from tests.table.test_coach import Slow
from tests.web.asgi import Browser, ScriptedHelper, server
from tests.web.test_playing import SHORT

GAMES = [game.id for game in all_games()]


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
    for name in ("server_sw.js", "manifest.webmanifest"):
        (root / name).write_text("{}", "utf-8")
    (root / "notes.md").write_text("not for the browser", "utf-8")
    (tmp_path / "secret.txt").write_text("no", "utf-8")
    monkeypatch.setattr(files, "STATIC", root)
    return root


async def test_every_answer_has_headers_that_forbid_what_is_not_needed(
    small: Path, browser: Browser
) -> None:
    made = await browser.make("joker1", "here")
    pages = ("/", f"/t/{made['id']}", "/new/crowns", "/rules/crowns", "/report/abc")
    for path in pages:
        answer = await browser.get(path)
        assert answer.status == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
        assert b"Pasch" in answer.body
    others = ("/static/app/main.js", "/api/games", "/nowhere", "/api/tables/x/record", "/healthz")
    for path in (*pages, *others):
        headers = (await browser.get(path)).headers
        assert headers["content-security-policy"] == f"{policy()}; frame-ancestors 'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] in ("no-cache", "no-store")
        assert "set-cookie" not in headers


def test_the_policy_allows_nothing_but_what_comes_from_here() -> None:
    rules = dict(part.strip().split(" ", 1) for part in HEADERS["content-security-policy"].split(";"))
    assert rules["default-src"] == "'none'" and rules["script-src"] == "'self'" == rules["style-src"]
    assert {rules[name] for name in ("base-uri", "form-action", "frame-ancestors")} == {"'none'"}
    assert "unsafe" not in policy() and "*" not in policy()


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


async def test_what_is_the_same_for_everybody_is_sent_compressed(browser: Browser) -> None:
    files = ("/static/index.html", "/static/games/crowns/board.js")
    for path in ("/", *files, "/i18n/de.json", "/api/games"):
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
        asked = {"accept-encoding": "gzip", "if-none-match": f'"x", W/{tag}'}
        again = await browser.get(path, headers=asked)
        assert (again.status, again.body) == (304, b"")
        assert (await browser.get(path, headers={"if-none-match": tag})).body == plain.body
        other = await browser.get(path, headers={"accept-encoding": "br, identity"})
        assert other.body == plain.body


NOT_THERE = """
/static/../secret.txt /static/app/../../secret.txt /static//etc/passwd /static/notes.md /static/app /static/ /nowhere
/static/none.js /static/games/crowns/rules.py /static/games/crowns/box.toml /static/games/crowns/../../secret.txt
/static/games/chess/board.js /static/games/crowns /i18n/../secret.json /api/games?language=xx /api/rules/chess
/api/rules/crowns?language=xx /api/lessons/chess /api/components/chess /api/tables/none/record /api/tables/none/report
"""


async def test_what_is_not_there_is_refused(small: Path, browser: Browser) -> None:
    for path in NOT_THERE.split():
        answer = await browser.get(path)
        assert answer.status == 404 and answer.json["type"] == "refused", path
        assert answer.json["code"] in ("not-found", "no-table") and answer.json["reason"]["template"]
    # to a person who mistypes an address a page is sent
    answer = await browser.get("/nowhere", headers={"accept": "text/html,*/*"})
    assert answer.status == 404 and answer.headers["content-type"].startswith("text/html")


async def test_the_games_are_described_in_the_language_asked_for(browser: Browser) -> None:
    games, german = [
        {game["id"]: game for game in (await browser.get(f"/api/games?language={language}")).json}
        for language in ("en", "de")
    ]
    assert sorted(games) == sorted(GAMES)
    assert games["sixbysix"]["has_secrets"] and not games["crowns"]["has_secrets"]
    assert games["fiese15"]["players"] == [1, 2, 3, 4, 5, 6]
    levels = games["joker1"]["levels"]
    assert [level["name"] for level in levels] == ["easy", "medium", "hard", "winner", "perfect"]
    assert levels[0]["against"] == "medium" and levels[0]["wins"] < 0.5 < levels[3]["wins"]
    assert levels[0]["gives_away"] > levels[1]["gives_away"] and levels[-1]["gives_away"] == 0.0
    assert games["joker1"]["options"][0]["name"] == "rounds"
    assert games["fiese15"]["files"] == ["board.js", "board.css", "thumb.svg"]
    for game in all_games():
        one, other = games[game.id], german[game.id]
        assert one["pitch"] == game.pitch != other["pitch"]
        assert len(one["howto"]) == len(other["howto"]) >= 3 and one["howto"] != other["howto"]
        pairs = zip(one["options"], other["options"], strict=True)
        assert all(spec["explanation"] != reply["explanation"] for spec, reply in pairs)


async def test_a_game_of_another_package_brings_what_it_has(tmp_path: Path) -> None:
    folder = tmp_path / "pasch_pig"
    folder.mkdir()
    for name in ("__init__.py", "rules.py"):
        shutil.copy(PIG / "src" / "pasch_pig" / name, folder)
    for path, data in _entry_points({"pig": "pasch_pig"}).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    with beside(tmp_path):  # with rules only
        assert texts.howto("pig", "en") == []
        written = (find_part("pig", "rules").__doc__ or "").strip()
        assert texts.rules_markdown("pig") == f"# Pig\n\n{written}\n"
    (folder / "board.js").write_text("export const ownBoards = true;")
    (folder / "en.md").write_text("# Pig\n\n1. Do\n   nothing.\n2. Stop.\n\n## Goal\n\nNone.\n")
    (folder / "de.po").write_text('msgid "The points that win."\nmsgstr "Nichts passiert."\n')
    with beside(tmp_path):
        async with server(tmp_path) as browser:
            games = {game["id"]: game for game in (await browser.get("/api/games?language=de")).json}
            pig = games["pig"]
            steps = [{"text": "Do nothing.", "when": {}}, {"text": "Stop.", "when": {}}]
            assert (pig["howto"], pig["files"], pig["lesson"]) == (steps, ["board.js"], False)
            assert pig["options"][0]["explanation"] == "Nichts passiert."
            drawing = await browser.get("/static/games/pig/board.js")
            assert drawing.headers["content-type"] == "text/javascript; charset=utf-8"
            assert (await browser.get("/static/games/pig/board.css")).status == 404
            assert (await browser.get("/static/games/pig/chance.json")).json is None
            assert (await browser.get("/api/lessons/pig")).status == 404
            # texts without a German version come in English
            rules = (await browser.get("/api/rules/pig?language=de")).json["markdown"]
            assert rules == "# Pig\n\n## Goal\n\nNone.\n"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
async def test_a_box_is_checked(browser: Browser, game: Any) -> None:
    known = (await browser.get(f"/api/components/{game.id}")).json
    assert known["game"] == game.default_components().game
    assert (await browser.post(f"/api/components/{game.id}", known)).json["ok"]
    wrongs: list[Any] = [{**known, "game": "chess"}, {**known, "more": 1}, [], {}]
    for wrong in wrongs:
        answer = (await browser.post(f"/api/components/{game.id}", wrong)).json
        assert not answer["ok"] and answer["place"] and answer["reason"]["template"]


WRONG_TABLES: list[tuple[Any, int]] = [
    ({"game": "chess", "seats": [{"kind": "here"}]}, 422),
    ({"game": "crowns", "seats": []}, 400),
    ({"game": "lines", "seats": [{"kind": "here"}] * 5}, 422),
    ({"game": "crowns", "seats": [{"kind": "computer"}]}, 422),
    ({"game": "crowns", "seats": [{"kind": "computer", "level": "nobody"}]}, 422),
    ({"game": "crowns", "seats": [{"kind": "computer", "level": "mybot.py:Bot"}]}, 422),
    ({"game": "crowns", "seats": [{"kind": "here", "name": "x" * 25}]}, 400),
    ({"game": "crowns", "seats": [{"kind": "here", "name": "\u0007"}]}, 400),
    ({"game": "joker1", "seats": [{"kind": "here"}], "options": {"rounds": 0}}, 422),
    ({"game": "joker1", "seats": [{"kind": "here"}], "events": [{"seat": 0, "roll": [9]}]}, 422),
    ({"game": "joker1", "seats": [{"kind": "here"}], "more": 1}, 400),
    ([], 400),
]


async def test_impossible_tables_and_broken_bodies_are_refused(browser: Browser) -> None:
    for wish, status in WRONG_TABLES:
        answer = await browser.post("/api/tables", wish)
        assert answer.status == status and answer.json["reason"]["template"], wish
    for body in (b"", b"{", b"\xff", b"[" * 100_000, b'{"game":1e999}'):
        answer = await browser.post("/api/tables", body=body)
        assert answer.status == 400 and answer.json["code"] == "malformed"
    answer = await browser.post("/api/tables", body=b" " * (5 * 1024 * 1024))
    assert answer.status == 413 and answer.json["code"] == "too-large"


async def test_tokens_are_shown_once_and_kept_as_hashes(browser: Browser, tmp_path: Path) -> None:
    made = await browser.make("joker1", "here", "link")
    written = b"".join(path.read_bytes() for path in tmp_path.glob("tables.sqlite*"))
    tokens = [*made["seats"].values(), *made["invitations"].values(), made["watch"], made["maker"]]
    assert made["id"].encode() in written
    assert len(set(tokens)) == 4 and all(len(token) >= 22 for token in tokens)
    assert all(token.encode() not in written for token in tokens)


async def test_lots_decide_who_begins(browser: Browser) -> None:
    seats = set()
    for _ in range(40):
        made = await browser.make("joker1", "here", "greedy", draw_lots=True)
        seats |= set(made["seats"])
    assert seats == {"0", "1"}


async def test_the_record_of_an_unfinished_game_stays_closed(browser: Browser) -> None:
    made = await browser.make("sixbysix", "here", "greedy")
    for what in ("record", "replay", "report", "receipt", "practice"):
        answer = await browser.get(f"/api/tables/{made['id']}/{what}")
        assert answer.status == 409 and answer.json["code"] == "not-now"


async def finished(browser: Browser, game: str = "joker1", players: int = 1) -> str:
    made = await browser.make(game, *["random"] * players, options=SHORT[game])
    await browser.watch(made)
    return str(made["id"])


async def test_a_report_that_takes_longer_than_a_request_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pasch.web.api.COACH_TIMEOUT_SECONDS", 0.001)
    helper = Slow("report", report=lambda asked: {"done": True})
    async with server(tmp_path, helper=helper) as browser:
        table = await finished(browser)
        assert (await browser.get(f"/api/tables/{table}/report")).status == 202
        helper.gate.set()
        while (answer := await browser.get(f"/api/tables/{table}/report")).status == 202:
            pass
        assert answer.json == {"done": True} and len(helper.asked) == 1


@pytest.mark.settings(helper=ScriptedHelper(report=lambda asked: {"done": True}))
async def test_a_report_waits_while_too_much_is_to_be_done(browser: Browser) -> None:
    table = await finished(browser)
    lane = browser.lobby.helpers.lanes["long"]
    lane.bounds, usual = lane.bounds._replace(max_waiting=0), lane.bounds
    assert (await browser.get(f"/api/tables/{table}/report")).status == 202
    lane.bounds = usual
    assert (await browser.get(f"/api/tables/{table}/report")).json == {"done": True}


async def test_no_report_where_there_is_no_coach_and_a_failure_is_not_remembered(browser: Browser) -> None:
    path = f"/api/tables/{await finished(browser)}/report"
    answer = await browser.get(path)
    assert answer.status == 501 and answer.json["code"] == "not-ready"
    browser.helper.answers["report"] = lambda asked: {"done": True}
    assert (await browser.get(path)).json == {"done": True}


async def test_a_mistake_of_ours_shows_no_traceback(browser: Browser) -> None:
    async def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("secret particulars")

    browser.lobby.make = broken  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        await browser.post("/api/tables", {"game": "crowns", "seats": [{"kind": "here"}]})
    assert browser.sent[0]["status"] == 500 and b"secret" not in browser.sent[1]["body"]


async def test_a_catalogue_has_plural_forms(browser: Browser) -> None:
    reply = (await browser.get("/i18n/xx,de-AT,en.json")).json
    assert (reply["language"], reply["languages"]) == ("de", [*texts.languages()])
    assert reply["forms"] == {"one": 0, "other": 1}
    # the server says one of both forms, and both lead to all of the translation's
    for text in ("{n} player", "{n} players"):
        assert reply["templates"][text] == ["{n} Person", "{n} Personen"]
    assert reply["templates"]["Roll"] == "Würfeln"
    english = (await browser.get("/i18n/xx.json")).json
    assert (english["language"], english["templates"]) == ("en", {})
    first = (await browser.get("/i18n/de.json?first")).json["templates"]
    assert first.items() < reply["templates"].items()


PLACES = """
/static/{} /static/app/{}.js /static/games/{}/board.js /static/games/crowns/{} /i18n/{}.json /api/rules/{}
/api/rules/crowns?language={} /api/components/{} /api/tables/{}/record /api/tables/{}/replay
/api/tables/x/replay?from={} /t/{} /new/{} /{}
"""
NAMES = (
    "\0", "\0.js", "a\nb", "\r\n", "\ud800", "..", "../..", ".", "", " ", "%00", "x" * 10_000, "x" * 256, "ä" * 200,
    "/" * 50, "js", "js/", "nul", "a\u2028b", "-1", "9" * 5000, "\U0001f3b2", "\x7f", "a b", "{x}", "'\"<&>",
)  # fmt: skip


async def test_no_name_whatever_ends_in_a_failure(browser: Browser) -> None:
    for place, name in product(PLACES.split(), NAMES):
        asked = name.encode("ascii", "ignore").decode() if "?" in place else name
        assert (await browser.get(place.replace("{}", asked))).status in (200, 307, 400, 404)
    for name in ("\0", "x" * 10_000, "a\nb"):
        assert (await browser.open(name).raw())["status"] == 404


async def test_a_game_that_is_over_is_shown_position_by_position(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "PAGE", 7)
    path = f"/api/tables/{await finished(browser, 'sixbysix', 2)}/replay?from="
    shown: list[Any] = [(await browser.get(f"{path}0")).json]
    while (first := shown[-1]["next"]) is not None:
        shown.append((await browser.get(f"{path}{first}")).json)
        assert shown[-1]["first"] == first
    steps = [step for page in shown for step in page["steps"]]
    assert [len(page["steps"]) for page in shown[:-1]] == [7] * (len(shown) - 1)
    assert len(shown) > 2 and len(steps) == shown[0]["events"] + 1
    state = find_game("sixbysix").agree(2, shown[0]["options"]).start()
    assert [step["position"]["version"] for step in steps] == list(range(len(steps)))
    assert steps[0]["event"] is None
    for step in steps[1:]:
        state = state.apply(state.game.read_event(step["event"]))
        assert step["position"]["scores"] == list(state.scores())
        assert step["position"]["actor"] == state.actor
    assert steps[-1]["position"]["winners"] == list(state.winners())
    # nothing is hidden any longer
    assert None not in steps[1]["position"]["snapshot"]["hands"][0]
    # any position gives its page; -1 is the last one
    for number, page in ((8, shown[1]), (-1, shown[-1]), (10**9, shown[-1])):
        assert (await browser.get(f"{path}{number}")).json == page
    assert (await browser.get(f"{path}x")).status == 400


async def test_a_page_is_not_sent_twice(browser: Browser) -> None:
    path = f"/api/tables/{await finished(browser)}/replay?from=-1"
    first = await browser.get(path, headers={"accept-encoding": "gzip"})
    # what belongs to a table is never compressed
    assert "content-encoding" not in first.headers
    again = await browser.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


# --- what is described --------------------------------------------------------------------------------


async def test_a_wrong_method_is_answered_with_those_that_there_are(browser: Browser) -> None:
    for path, allowed in (
        ("/api/components/joker1", {"GET", "HEAD", "POST"}),
        ("/api/tables", {"POST"}),
        ("/healthz", {"GET", "HEAD"}),
    ):
        answer = await browser.request("DELETE", path)
        assert answer.status == 405
        assert set(answer.headers["allow"].split(", ")) == allowed


def test_the_page_and_the_clients_types_are_fresh() -> None:
    assert protocol.PAGE.read_text("utf-8") == protocol.page(), "run `make docs`"
    assert protocol.TYPES.read_text("utf-8") == protocol.types(), "run `make docs`"
