"""``vermeil trees``: constituency trees, one module a command."""

from vermeil.cli.options.on_demand import command_group

SUMMARIES = {
    "score": "Score parsers against a treebank.",
    "diagnose": "Show which rules parsers get wrong, and what they write.",
    "portability": "Show what parsers lose between treebanks, and where.",
    "compare": "Compare treebanks: sizes, rules, labels, lengths.",
    "combine": "Combine the trees of several parsers into one a sentence.",
    "rank": "Choose the tree of each sentence by the names in it.",
    "trust": "Rank sentences by how little their trees can be trusted.",
    "show": "Show a tree, or how two trees of a sentence differ.",
    "tagger": "Learn parts of speech and chunks from a treebank.",
    "parse": "Parse sentences with an external program.",
}
"""The first line of each command's help, which a test compares with the commands themselves."""

app = command_group(
    __name__,
    SUMMARIES,
    help="Score, diagnose, compare, combine, show and make parse trees.",
)

__all__ = ["app"]
