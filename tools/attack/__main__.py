"""`make attack`: every known attack against a server, and its effect on people at other tables.

Without `--server` each attack gets a fresh `pasch serve` with default limits in a temporary folder; all together
take less than five minutes. A server that is running can be attacked too, if it is on this machine:

    python -m tools.attack pings --server http://127.0.0.1:8615 --seconds 10

Attacker and bystander have loopback addresses of their own (127.1.0.x, 127.2.0.x), which the server counts as
different ones; that needs Linux. The attacker has a process of its own, and a low priority. Times depend on what else
the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from tools.attack import run
from tools.attack.attacks import ATTACKS
from tools.attack.server import serving
from tools.attack.target import NotThisMachine, Target

#: for all attacks together, in seconds
TOTAL_SECONDS = 280.0


async def attack_all(
    chosen: list[str], target: Target | None, seconds: float | None, document: bool
) -> bool:
    """Run these attacks one after the other and print the table; whether all went well."""
    rows, well, until = [], True, time.monotonic() + TOTAL_SECONDS
    if not document:
        print(run.plain(list(run.HEADS)), flush=True)
    with tempfile.TemporaryDirectory(prefix="pasch-attack-") as folder:
        for number, name in enumerate(chosen):
            server = nullcontext(target) if target else serving(Path(folder) / f"{number}-{name}")
            with server as at:
                assert at is not None
                share = (until - time.monotonic()) / (len(chosen) - number)
                # what sitting down and looking afterwards take comes on top
                lasts = seconds or min(20.0, max(2.0, share - 5.0))
                result = await run.run(name, at, lasts)
            well &= not (result.broken or result.slow)
            rows.append(run.cells(result))
            if not document:
                print(run.plain(rows[-1]), flush=True)
            if name == "nothing" and result.slow:
                print("this machine is busy with other things: the times say little", file=sys.stderr)
    if document:
        print(run.markdown(rows))
    return well


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.attack", description=(__doc__ or "").partition("\n")[0].replace("`", "")
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which attacks; all unless some are named")
    parser.add_argument("--server", help="attack this server, as in http://127.0.0.1:8615")
    parser.add_argument(
        "--seconds", type=float, help="how long each lasts; unless given, all take five minutes"
    )
    parser.add_argument("--markdown", action="store_true", help="print the table for docs/security.md")
    parser.add_argument("--list", action="store_true", help="say what there is, and do nothing")
    chosen = parser.parse_args()
    unknown = set(chosen.names) - set(ATTACKS)
    if unknown:
        parser.error(f"there is no attack {', '.join(sorted(unknown))}; there are {', '.join(ATTACKS)}")
    if chosen.list:
        print("\n".join(f"{name:<14} {tries}" for name, (tries, _) in ATTACKS.items()))
        return
    if not sys.platform.startswith("linux"):
        parser.error("this needs the many loopback addresses that only Linux has")
    try:
        target = Target.read(chosen.server) if chosen.server else None
    except NotThisMachine as error:
        parser.error(str(error))
    well = asyncio.run(attack_all(chosen.names or [*ATTACKS], target, chosen.seconds, chosen.markdown))
    raise SystemExit(not well)


if __name__ == "__main__":
    main()
