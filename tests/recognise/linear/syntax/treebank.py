"""A small treebank that we wrote: sentences of one pattern, with many words."""

from vermeil.tree import Tree

NOUNS = ("p53", "IL-2", "DNA", "kinase", "receptor", "BRCA1", "promoter")
VERBS = ("binds", "activates", "regulates", "blocks")


def treebank() -> list[Tree]:
    """Make a tree of each pair of nouns and each verb."""
    return [
        Tree.parse(
            f"(S (NP (DT the) (JJ new) (NN {one})) (VP (VBZ {verb}) "
            f"(NP (NP (NN {other})) (PP (IN of) (NP (NNS cells))))) (. .))"
        )
        for one in NOUNS
        for other in NOUNS
        for verb in VERBS
        if one != other
    ]
