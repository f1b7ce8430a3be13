"""What a team needs to work on one review: shares, guidelines, labels, search, an archive."""
