"""Tests that belong together run in one process."""

from __future__ import annotations

import os

import pytest


@pytest.mark.xdist_group("groups")
def test_processes_know_what_belongs_together(request: pytest.FixtureRequest) -> None:
    """pytest 9.2 and pytest-xdist 3.8 forget it without a word; then everything is built in each process."""
    if "PYTEST_XDIST_WORKER" in os.environ and request.config.option.loadgroup:
        assert request.node.nodeid.endswith("@groups")
