"""Text with elements in it."""
