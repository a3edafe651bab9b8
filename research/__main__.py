"""The commands of `python -m research`."""

from __future__ import annotations

import click

from pasch.cli import Front
from research.crowns.command import crowns
from research.study.command import study


@click.group(cls=Front)
def main() -> None:
    """Research on the games of Pasch."""


main.add_command(crowns)
main.add_command(study)

if __name__ == "__main__":
    main(prog_name="python -m research")
