"""Two trees over the same words to counts to numbers: every way to score a parser."""
