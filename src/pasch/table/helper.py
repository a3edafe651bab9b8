"""The server's side of a helper process, which does what takes long.

The server's own process imports no compiler and no solver; `pasch.table.helper_process` does.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from typing import Any, Final

from pasch.core.errors import PaschError

#: the longest answer, in bytes: a report of a long game
MOST_BYTES: Final = 32 * 1024 * 1024


class HelperFailed(PaschError):
    """The helper has ended, did not answer in time, or could not do what was asked."""


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
        """The answer of the helper's function `do`; HelperFailed if there is none in time."""
        process = await self._running()
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps({"number": number, "do": do, **details}).encode() + b"\n")
            await process.stdin.drain()
            return await asyncio.wait_for(answer, timeout)
        except (TimeoutError, OSError) as error:
            raise HelperFailed("no answer: {problem}", problem=repr(error)) from error
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
                self._listener = asyncio.create_task(self._listen(self._process))
            return self._process

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                read = json.loads(line)
                answer = self._answers.get(read["number"])
                if answer is None or answer.done():
                    continue
                if "problem" in read:
                    answer.set_exception(HelperFailed("{problem}", problem=read["problem"]))
                else:
                    answer.set_result(read["answer"])
        except ValueError:
            process.kill()
        await process.wait()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(HelperFailed("the helper has ended"))

    async def close(self) -> None:
        """Kill the process."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        if self._listener is not None:
            await self._listener
