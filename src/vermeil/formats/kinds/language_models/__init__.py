"""What language models answer, as it comes."""
