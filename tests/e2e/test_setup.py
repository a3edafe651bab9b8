"""What npm installs for the tests in a browser."""

from __future__ import annotations

import json

from tests.e2e.browser import ROOT


def test_the_lock_file_of_npm_names_no_host() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages and all("integrity" in package for package in packages.values())
    assert not [name for name, package in packages.items() if "resolved" in package]
