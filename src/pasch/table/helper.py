"""The server's side of a helper process, which does what takes long.

The server's own process imports no compiler and no solver; `pasch.table.helper_process` does.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from pasch.core.errors import PaschError

#: the longest answer, in bytes: a report of a long game
MOST_BYTES: Final = 32 * 1024 * 1024
#: longer answers are decoded in a thread
SHORT_ANSWER: Final = 64 * 1024
#: how long a process may take to start, in seconds; that does not count against the time limit of a request
STARTING: Final = 60.0

#: requests and long answers are encoded and decoded here, so that the event loop never waits for them
threads: Final = ThreadPoolExecutor(2, "helper messages")


class HelperFailed(PaschError):
    """The helper has ended, did not answer in time, or could not do what was asked."""


class TooSlow(HelperFailed):
    """The helper did not answer in time."""


class Helper:
    """One helper process (`python -m module`), started when first needed and again after it has died."""

    def __init__(
        self, module: str = "pasch.table.helper_process", *arguments: str, quiet: bool = True
    ) -> None:
        self._command = ("-m", module, *arguments)
        self._stderr = asyncio.subprocess.DEVNULL if quiet else None
        self._process: asyncio.subprocess.Process | None = None
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._numbers = itertools.count()
        self._starting = asyncio.Lock()
        self._listener: asyncio.Task[None] | None = None

    async def ask(self, do: str, timeout: float | None = None, **details: Any) -> Any:
        """The answer of the helper's function `do`; TooSlow if there is none in time, or another HelperFailed."""
        loop, number = asyncio.get_running_loop(), next(self._numbers)
        request = {"number": number, "do": do, **details}
        line = await loop.run_in_executor(threads, _encode, request)
        process = await self._running()
        answer = self._answers[number] = loop.create_future()
        try:
            assert process.stdin is not None
            process.stdin.write(line)
            await process.stdin.drain()
            return await asyncio.wait_for(answer, timeout)
        except TimeoutError as error:
            raise TooSlow("this takes too long to work out", detail=repr(error)) from error
        except OSError as error:
            raise HelperFailed("this could not be worked out", detail=repr(error)) from error
        finally:
            self._answers.pop(number, None)

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    *self._command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=self._stderr,
                    limit=MOST_BYTES,
                )
                started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._listener = asyncio.create_task(self._listen(self._process, started))
                try:
                    await asyncio.wait_for(started, STARTING)
                except TimeoutError as error:
                    self._process.kill()
                    raise HelperFailed(
                        "this could not be worked out", detail="the helper does not start"
                    ) from error
            return self._process

    async def _listen(self, process: asyncio.subprocess.Process, started: asyncio.Future[None]) -> None:
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                read = await _decode(line)
                if read["number"] is None:
                    started.set_result(None)
                    continue
                answer = self._answers.get(read["number"])
                if answer is None or answer.done():
                    continue
                if "problem" in read:
                    answer.set_exception(
                        HelperFailed("this could not be worked out", detail=read["problem"])
                    )
                else:
                    answer.set_result(read["answer"])
        except ValueError:
            process.kill()
        await process.wait()
        for waiting in (started, *self._answers.values()):
            if not waiting.done():
                waiting.set_exception(
                    HelperFailed("this could not be worked out", detail="the helper has ended")
                )

    async def close(self) -> None:
        """Kill the process."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        if self._listener is not None:
            await self._listener


def _encode(request: dict[str, Any]) -> bytes:
    return json.dumps(request).encode() + b"\n"


async def _decode(line: bytes) -> Any:
    if len(line) <= SHORT_ANSWER:
        return json.loads(line)
    return await asyncio.get_running_loop().run_in_executor(threads, json.loads, line)
