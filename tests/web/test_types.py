"""The browser client's types hold, as its JSDoc says them."""

from __future__ import annotations

import pytest

from pasch.web.files import STATIC
from tests.web.nodejs import ROOT, TYPESCRIPT, need_typescript, node


@pytest.mark.slow
def test_the_client_keeps_its_types() -> None:
    need_typescript()
    checked = node(TYPESCRIPT / "bin" / "tsc", "--project", ROOT / "tsconfig.json", "--pretty", "false")
    assert checked.returncode == 0, checked.stdout


def test_every_module_is_checked() -> None:
    modules = [
        file for file in STATIC.rglob("*.js") if "vendor" not in file.parts and file.parent != STATIC
    ]
    assert len(modules) > 10
    assert [m.name for m in modules if not m.read_text("utf-8").startswith("// @ts-check\n")] == []
