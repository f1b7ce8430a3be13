"""Annotation beside the text."""
