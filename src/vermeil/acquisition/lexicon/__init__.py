"""The names of databases, compiled so that they are found in text."""
