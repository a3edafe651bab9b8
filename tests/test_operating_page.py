"""docs/operating.md says what there is: metrics, options, variables of the environment."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click
from prometheus_client.parser import text_string_to_metric_families

from pasch.cli import main
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
