"""Vermeil's own files, and plain text."""

__all__ = ["jsonl", "parquet", "plain_text"]
