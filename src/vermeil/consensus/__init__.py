"""Many layers to one: centroids, learned reliabilities, and the votes everybody knows."""
