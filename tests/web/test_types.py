"""The browser client's types hold, as its JSDoc says them."""

from __future__ import annotations

import pytest

from tests.web.nodejs import ROOT, TYPESCRIPT, need_typescript, node


@pytest.mark.slow
def test_the_client_keeps_its_types() -> None:
    need_typescript()
    checked = node(TYPESCRIPT / "bin" / "tsc", "--project", ROOT / "tsconfig.json", "--pretty", "false")
    assert checked.returncode == 0, checked.stdout


def test_every_module_is_checked() -> None:
    modules = sorted((ROOT / "src" / "pasch" / "web" / "static").rglob("*.js"))
    modules = [module for module in modules if module.parent.name != "vendor"]
    assert modules
    assert [m.name for m in modules if not m.read_text("utf-8").startswith("// @ts-check\n")] == []
