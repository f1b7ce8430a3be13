"""What a page says of annotators."""
