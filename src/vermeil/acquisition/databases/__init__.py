"""Databases as they come: the names of their records, and the documents these refer to."""
