"""Ways of scoring: what each says of every prediction and every name."""
