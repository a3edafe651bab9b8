"""Research on the games of Pasch, run from a clone as `python -m research`; not installed with the package."""
