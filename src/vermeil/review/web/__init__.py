"""The server of a review: who asks, whether they may, and what is answered."""
