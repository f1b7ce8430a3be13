"""What a long run needs and knows of no stage: shards, tasks, engines, a manifest, exact sums."""
