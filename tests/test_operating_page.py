"""docs/operating.md says what there is: metrics, options, variables of the environment."""

from __future__ import annotations

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


def test_every_option_and_variable_exists() -> None:
    ours = {
        option
        for command in main.commands.values()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    foreign = {"--require-hashes", "--no-deps"}  # pip's
    assert set(re.findall(r"--[a-z]+[a-z-]*", PAGE)) <= ours | foreign
    source = "\n".join(file.read_text("utf-8") for file in (ROOT / "src" / "pasch").rglob("*.py"))
    for variable in re.findall(r"PASCH_[A-Z]+", PAGE):
        assert f'"{variable}"' in source, variable
    for command in re.findall(r"(?<![/\w])pasch ([a-z-]+) ", PAGE):
        assert command in main.commands, command
