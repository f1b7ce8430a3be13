"""Candidates judged again, with the rest of their document in view."""
