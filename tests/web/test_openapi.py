"""The description of the HTTP API says what there is."""

from __future__ import annotations

import re

import msgspec

from pasch.table.refusals import CODES
from pasch.web.app import App
from pasch.web.endpoints import ENDPOINTS
from pasch.web.files import STATIC
from pasch.web.http import STATUS
from pasch.web.openapi import described, document
from tests.web.asgi import Browser, served


@served()
async def test_every_address_of_the_api_is_described(browser: Browser) -> None:
    routes = App(browser.lobby).routes
    answered = {
        (method.lower(), route.path)
        for route in routes
        for method in (route.methods or set()) - {"HEAD"}
        if route.path.startswith("/api/") and route.path != "/api/openapi.json"
    }
    listed = {(one.method.lower(), one.path) for one in described() if one.path.startswith("/api/")}
    assert answered == listed
    reply = await browser.get("/api/openapi.json")
    assert reply.status == 200 and reply.body == msgspec.json.encode(document())


def test_it_names_every_message_and_status() -> None:
    reply = document()
    assert {"NewTable", "MadeTable", "Refused", "Receipt"} <= set(reply["components"]["schemas"])
    for operations in reply["paths"].values():
        for operation in operations.values():
            assert {int(status) for status in operation["responses"]} <= {200, 201, 202, *STATUS.values()}
    assert str(CODES["too-fast"]) in str(reply)


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


@served()
async def test_a_wrong_method_is_told_which_there_are(browser: Browser) -> None:
    for path, allowed in (
        ("/api/components/joker1", {"GET", "HEAD", "POST"}),
        ("/api/tables", {"POST"}),
        ("/healthz", {"GET", "HEAD"}),
    ):
        answer = await browser.request("DELETE", path)
        assert answer.status == 405
        assert set(answer.headers["allow"].split(", ")) == allowed
