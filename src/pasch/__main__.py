"""`python -m pasch` is `pasch`."""

from pasch.cli import main

if __name__ == "__main__":
    main(prog_name="pasch")
