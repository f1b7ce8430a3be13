"""A review that learns: every settled name says more about the open ones."""
