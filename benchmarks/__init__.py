"""Scripts that measure what the README claims; ``python -m benchmarks`` runs them all."""
