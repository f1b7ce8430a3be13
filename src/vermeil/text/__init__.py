"""From strings to tokens to tags and back: tokens, sentences, tag schemes, alignment of texts.

Nothing here reads files, learns or knows a format. Import what you need from its module.
"""
