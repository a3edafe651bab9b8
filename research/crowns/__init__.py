"""Crowns alone, nearly solved: its edge relaxed, and small weights fitted to the solved values."""
