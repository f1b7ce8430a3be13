"""What a page and a terminal say of parsers and their trees."""
