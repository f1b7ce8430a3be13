"""Annotation beside the text."""

__all__ = ["biocreative", "brat", "chemdner", "mention_search", "mentions"]
