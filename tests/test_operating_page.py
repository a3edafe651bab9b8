"""docs/operating.md says what there is: metrics, options, variables of the environment."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import click
import msgspec
from prometheus_client.parser import text_string_to_metric_families

from pasch.cli import main
from pasch.table.limits import Limits, Price, Rate
from pasch.web.archive import KEPT
from pasch.web.logs import MOST_ALIKE, MOST_LINES
from pasch.web.serve import RESERVED_FILES
from tests.web.asgi import Browser, with_server

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "operating.md").read_text("utf-8")


def test_every_metric_is_explained_and_no_other(tmp_path: Path) -> None:
    async def ask(browser: Browser) -> None:
        # something is refused, so that refusals are counted
        assert (await browser.get("/api/rules/chess")).status == 404
        families = text_string_to_metric_families((await browser.get("/metrics")).body.decode())
        there = {family.name + ("_total" if family.type == "counter" else "") for family in families}
        assert there == set(re.findall(r"pasch_[a-z_]+", PAGE))

    with_server(tmp_path, ask)


def test_every_command_and_option_exists() -> None:
    ours = {
        option
        for command in main.commands.values()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    foreign = {"--require-hashes", "--no-deps"}  # pip's
    assert set(re.findall(r"--[a-z]+[a-z-]*", PAGE)) <= ours | foreign
    assert set(re.findall(r"(?<![/\w])pasch ([a-z-]+) ", PAGE)) <= set(main.commands)


def test_every_limit_is_explained_with_its_default() -> None:
    def written(value: Any) -> str:
        if isinstance(value, Rate):
            return f"{value.second:,.12g} a second, {value.burst:,.12g} at once"
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"

    rows = dict(re.findall(r"^\| `([a-z_]+)` \| .* \| ([^|]+) \|$", PAGE.split("## Limits")[1], re.M))
    [given] = [option for option in main.commands["serve"].params if option.name == "connections"]
    assert given.default == Limits().connections
    assert rows == {name: written(value) for name, value in msgspec.structs.asdict(Limits()).items()}


def test_prices_are_told_as_they_are() -> None:
    told = " ".join(PAGE.split("## Limits")[1].split())
    for price, what in (
        (Price.REQUEST, "{} for any request"),
        (Price.HANDSHAKE, "{} for opening a WebSocket"),
        (Price.WELCOME, "{} for a welcome"),
        (Price.TABLE, "{} for a table"),
        (Price.BOX, "{} for checking a box"),
    ):
        assert what.format(f"{price:g}") in told
    assert f"a welcome counts as {Price.WELCOME_MESSAGES:g} |" in told
    assert f"{Price.PING_MESSAGES:g} for a sign of life" in told
    assert f"up to {KEPT // 2**20} MiB" in told and f"less {RESERVED_FILES}" in told
    assert f"at most {MOST_ALIKE} a minute are alike and {MOST_LINES} in all" in " ".join(PAGE.split())


def test_every_variable_of_the_environment_is_explained_and_no_other() -> None:
    read = {
        node.value
        for file in (ROOT / "src" / "pasch").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch("PASCH_[A-Z]+", node.value)
    }
    assert read == set(re.findall("PASCH_[A-Z]+", PAGE)) != set()


def test_servers_behind_a_load_balancer_are_told_whom_to_believe() -> None:
    """Otherwise everybody has the balancer's address, and one flood exhausts the budget of all."""
    example = PAGE.split("## Several servers")[1].split("```")[1]
    assert "--host 0.0.0.0" in example and "export FORWARDED_ALLOW_IPS=" in example
