"""What people look at: trees as text and as pictures."""
