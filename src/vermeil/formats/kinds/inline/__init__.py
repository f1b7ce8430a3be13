"""Text with elements in it."""

__all__ = ["centroid_xml", "inline_xml", "markup"]
