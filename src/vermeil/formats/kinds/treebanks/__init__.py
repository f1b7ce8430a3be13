"""Constituency trees."""

__all__ = ["genia_xml", "penn"]
