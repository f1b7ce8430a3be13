"""Lexical databases and their references into the literature, read as entries."""
