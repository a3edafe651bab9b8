"""One module for each attack: its first line says what it tries, and `attack` tries it."""
