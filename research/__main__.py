"""The commands of `python -m research`."""

from __future__ import annotations

import click

from research.crowns.command import crowns


@click.group()
def main() -> None:
    """Research on the games of Pasch."""


main.add_command(crowns)

if __name__ == "__main__":
    main(prog_name="python -m research")
