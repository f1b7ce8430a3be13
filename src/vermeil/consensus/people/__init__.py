"""Annotators as people: each saw a little, looks for some labels, errs in a way of their own."""
