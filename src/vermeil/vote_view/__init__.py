"""A text with what everybody said of it: hearts, their edges, votes, and a lane an annotator."""
