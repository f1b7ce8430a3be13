"""Tokens, their features, and sequence models over them: what whoever reads text stands on."""

__all__: list[str] = []
