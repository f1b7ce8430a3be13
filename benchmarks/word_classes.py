"""Parts of speech and chunks as features of the linear tagger: what the rest of Table 1 brings.

A tagger for both is learned from the GENIA treebank (912 sentences), cross-validated, and used as
features of the acquisition paper's linear tagger on the proteins of the GE abstracts. The treebank
and GE are of the same kind of abstract, so this is the best case. Reads VERMEIL_CORPORA.

    python -m benchmarks.word_classes [--documents N …] [--judges N] [--folds N]
"""

import argparse
from time import process_time

from benchmarks.acquisition import FOLDER, FOUND, GOLD, LABEL, proteins, row
from benchmarks.perturbed import CORPORA
from vermeil import trees
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.tagging import tag
from vermeil.verbs.trees.tagging import learned_tags

TREEBANK = CORPORA / "genia-trees" / "gold.mrg"
TOKENISER = "punctuation"


def main() -> None:
    """Print how right the tags are, and a row with and without them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, nargs="*", default=[100, 400])
    parser.add_argument("--judges", type=int, default=300)
    parser.add_argument("--folds", type=int, default=5)
    asked = parser.parse_args()
    if not TREEBANK.exists():
        print(f"no treebank at {TREEBANK}; set VERMEIL_CORPORA")
        return
    gold = [tree for tree in trees.read(TREEBANK) if tree is not None]
    made = learned_tags(gold, tokeniser=TOKENISER, rounds=8, folds=asked.folds, seed=0)
    print(made)
    documents = proteins(FOLDER / "ge-train")
    judges = documents[-asked.judges :]
    for n in asked.documents:
        print(f"{n} documents to learn from, {len(judges)} to judge by")
        recipe = Recipe((LABEL,), annotator=GOLD, tokeniser=TOKENISER)
        for title, classifier in (("words only", None), ("pos and chk", made.tagger)):
            begun = process_time()
            options = LinearOptions(n_folds=0, classifier=classifier)
            tagger = LinearTagger.fit(documents[:n], recipe, options=options)
            row(title, tag(tagger, judges, name=FOUND, threshold=0.0))
            print(f"  {process_time() - begun:.0f} CPU s", flush=True)


if __name__ == "__main__":
    main()
