"""Parts of speech and chunks of words: a light tagger, learned from a treebank that users have."""
