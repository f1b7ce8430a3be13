import pytest

from vermeil.recognise.linear.syntax.chunks import chunk_tags
from vermeil.tree import Tree


@pytest.mark.parametrize(
    ("tree", "tags"),
    [
        ("(S (NP (DT The) (NN gene)) (VP (VBZ binds)))", "B-NP I-NP B-VP"),
        ("(NP (NP (NN DNA)) (PP (IN of) (NP (NNS mice))))", "B-NP B-PP B-NP"),
        ("(NP (NP (NN cytokine)) (NN expression))", "B-NP I-NP"),
        ("(NP (NP (NN a)) (CC and) (NP (NN b)))", "B-NP O B-NP"),
        ("(VP (MD may) (VP (VB be) (ADVP (RB well)) (VP (VBN known))))", "B-VP I-VP B-ADVP B-VP"),
        ("(VP (VBZ has) (VP (VBN been) (VP (VBN shown))))", "B-VP I-VP I-VP"),
        ("(NP (ADJP (RB very) (JJ high)) (NNS levels))", "B-NP I-NP I-NP"),
        ("(S (NP-SBJ (-NONE- *)) (VP (VB bind)) (. .))", "B-VP O"),
        ("(NP (NP (NN p53)) (PRN (-LRB- -LRB-) (NP (NN TP53)) (-RRB- -RRB-)))", "B-NP O B-NP O"),
        ("(FRAG (NN p53))", "O"),
    ],
)
def test_words_get_the_chunk_they_are_in(tree: str, tags: str) -> None:
    assert chunk_tags(Tree.parse(tree)) == tuple(tags.split())
