"""The games' rules in our own words, one Markdown file per game and language."""
