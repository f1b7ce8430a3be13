"""Gold standards audited: what is inconsistent in them."""
