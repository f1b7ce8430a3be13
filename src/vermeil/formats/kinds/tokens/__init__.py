"""Tokens with a tag each."""
