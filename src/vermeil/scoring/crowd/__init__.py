"""Scores of many systems at once, at a cost that follows votes."""
