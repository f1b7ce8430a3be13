"""Results as tables: what the verbs return shows itself by them, and the commands print them."""
