"""The server's own log on stderr: JSON lines for an operator, plain lines at home; bounded in length and number.

It contains everything that Pasch and its libraries log, warnings and uncaught exceptions. It contains no tokens.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, TextIO

#: characters of a message, of each field, and of a traceback, of which the end is kept
MAX_TEXT: Final = 2_000
MAX_TRACE: Final = 8_000
#: lines per minute of one logger and level
MAX_ALIKE: Final = 50
MINUTE: Final = 60.0

logger = logging.getLogger("pasch.web")


class JsonLines(logging.Formatter):
    """Formats time, level, message, and the fields given as `extra={"fields": {...}}`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": _short(record.getMessage()),
            **{name: _short(value) for name, value in getattr(record, "fields", {}).items()},
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["trace"] = "".join(traceback.format_exception(record.exc_info[1]))[-MAX_TRACE:]
        # in ASCII, so that no character in it ends a line for anybody
        return json.dumps(line, default=lambda value: _short(str(value)))


class PlainLines(logging.Formatter):
    """Formats message, fields and exception as one line for people at home."""

    def format(self, record: logging.LogRecord) -> str:
        details = [f"{name}: {value}" for name, value in getattr(record, "fields", {}).items()]
        if record.exc_info and record.exc_info[1] is not None:
            details.append("".join(traceback.format_exception_only(record.exc_info[1])).strip())
        line = record.getMessage() + (f" ({', '.join(details)})" if details else "")
        return str(_short(f"pasch: {' '.join(line.split())}"))


def _short(value: Any) -> Any:
    return value if len(text := str(value)) <= MAX_TEXT else f"{text[:MAX_TEXT]} …"


class BoundedHandler(logging.StreamHandler[TextIO]):
    """Limits the lines of each logger and level per minute; the next line tells how many were omitted."""

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        formatter: logging.Formatter | None = None,
    ) -> None:
        super().__init__(stream)
        self.setFormatter(formatter or JsonLines())
        self._clock = clock
        #: by logger and level: when the minute began, and the records since
        self._minutes: dict[tuple[str, int], tuple[float, int]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record unless the limit is reached; the caller holds the lock."""
        kind, now = (record.name, record.levelno), self._clock()
        begun, count = self._minutes.get(kind, (now, 0))
        if now - begun >= MINUTE:
            if count > MAX_ALIKE:
                record.fields = {**getattr(record, "fields", {}), "omitted": count - MAX_ALIKE}
            begun, count = now, 0
        self._minutes[kind] = begun, count + 1
        if count < MAX_ALIKE:
            super().emit(record)


def drop_trace_of_bad_text(record: logging.LogRecord) -> bool:
    """Leave uvicorn's traceback out where a stranger has sent text that is no UTF-8."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True


def _log_unhandled(failed: threading.ExceptHookArgs | sys.UnraisableHookArgs) -> None:
    """Log an exception that ends a thread, or that Python cannot raise."""
    logger.critical("uncaught exception", exc_info=failed.exc_value)


def capture(home: bool = False) -> None:
    """Write all log records to stderr as JSON lines; at home only warnings and errors, as plain lines."""
    handler = BoundedHandler(sys.stderr, formatter=PlainLines() if home else JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("pasch").setLevel(logging.WARNING if home else logging.INFO)
    logging.captureWarnings(True)
    logging.getLogger("uvicorn.error").addFilter(drop_trace_of_bad_text)
    threading.excepthook = sys.unraisablehook = _log_unhandled
    if not faulthandler.is_enabled():
        faulthandler.enable()
