"""The linear tagger of the acquisition paper."""
