"""Tests of tables use the server of the tests of the web."""

from __future__ import annotations

from tests.web.conftest import browser, clock, wall

__all__ = ["browser", "clock", "wall"]
