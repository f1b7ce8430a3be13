"""Two layers to counts to numbers: every way to score annotations against a standard."""
