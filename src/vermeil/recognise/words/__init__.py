"""What is known of words beside their features: spelling models, token sets, lists of names."""
