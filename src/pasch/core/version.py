"""The version of Pasch; a source tree has one too, installed or not."""

from __future__ import annotations

from typing import Final

VERSION: Final = "1.0.0"
