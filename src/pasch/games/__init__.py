"""The rules, one module per game, each with its component data in a TOML file of the same name."""
