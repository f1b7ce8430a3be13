"""Vermeil's own files, and plain text."""
