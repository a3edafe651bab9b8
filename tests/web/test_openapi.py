"""The descriptions of the HTTP API and of the messages are fresh, and say what there is."""

from __future__ import annotations

import re
from typing import get_args

import msgspec
from tools import protocol

from pasch.table.refusals import CODES, Code
from pasch.web.app import App
from pasch.web.endpoints import ENDPOINTS, endpoints_of
from pasch.web.files import STATIC
from pasch.web.openapi import document
from tests.web.asgi import Browser


async def test_every_address_of_the_api_is_described(browser: Browser) -> None:
    routes = App(browser.lobby).routes
    answered = {
        (method.lower(), route.path)
        for route in routes
        for method in (route.methods or set()) - {"HEAD"}
        if route.path.startswith("/api/") and route.path != "/api/openapi.json"
    }
    listed = {
        (one.method.lower(), one.path) for one in endpoints_of("server") if one.path.startswith("/api/")
    }
    assert answered == listed
    reply = await browser.get("/api/openapi.json")
    assert reply.status == 200 and reply.body == msgspec.json.encode(document())


def test_it_names_every_message_and_status() -> None:
    reply = document()
    assert {"NewTable", "MadeTable", "Refused", "Receipt"} <= set(reply["components"]["schemas"])
    statuses = {200, 201, 202, *(status for status, _ in CODES.values())}
    for operations in reply["paths"].values():
        for operation in operations.values():
            assert {int(status) for status in operation["responses"]} <= statuses
    assert CODES["too-fast"][1] in str(reply)


def test_every_address_that_the_client_asks_is_in_the_table() -> None:
    found = {
        address
        for file in STATIC.rglob("*.js")
        for address in re.findall(r"[`\"](/api/[^`\"?]*)", file.read_text("utf-8"))
    }
    assert len(found) > 8
    for address in found:
        # ${…} stands for one part of the path; an expression that does not end here is left out
        pattern = re.sub(r"\$\{[^}]*$", "", re.sub(r"\$\{[^}]*\}", "[^/]+", address))
        assert any(re.fullmatch(pattern, endpoint.path) for endpoint in ENDPOINTS), address


async def test_a_wrong_method_is_answered_with_those_that_there_are(browser: Browser) -> None:
    for path, allowed in (
        ("/api/components/joker1", {"GET", "HEAD", "POST"}),
        ("/api/tables", {"POST"}),
        ("/healthz", {"GET", "HEAD"}),
    ):
        answer = await browser.request("DELETE", path)
        assert answer.status == 405
        assert set(answer.headers["allow"].split(", ")) == allowed


def test_the_page_is_fresh() -> None:
    assert protocol.PAGE.read_text("utf-8") == protocol.page(), "run `make docs`"


def test_the_clients_types_are_fresh() -> None:
    assert protocol.TYPES.read_text("utf-8") == protocol.types(), "run `make docs`"


def test_every_code_has_a_meaning_and_a_status() -> None:
    codes = set(get_args(Code))
    assert codes == set(CODES)
