"""Thresholds by length of names: what they bring to the layer ``consensus``.

The support model is learned from 22,589 abstracts and gene2pubmed. Thresholds for names of one,
two, three and more tokens are set where as many names of hidden references are found of each length
as one threshold finds of all. Scored on the proteins of the GE abstracts, on which the one
threshold was chosen, and of EPI (strict spans). Reads VERMEIL_CORPORA.

    python -m benchmarks.length_thresholds
"""

from time import process_time

from benchmarks.acquisition import FOLDER, as_found, genes, proteins, row
from vermeil.acquisition.databases.references import Links, read_references
from vermeil.acquisition.labelling import CONSENSUS, THRESHOLD, Labelling, label
from vermeil.acquisition.links.hidden_names import learned_by_length
from vermeil.formats import read

TOKENISER = "punctuation"


def main() -> None:
    """Print the thresholds, and a row with and without them."""
    if not FOLDER.is_dir():
        print(f"no abstracts at {FOLDER}; set VERMEIL_CORPORA")
        return
    lexicon = genes("normalised")
    links = Links.of(lexicon, read_references(FOLDER / "gene2pubmed.tsv.gz"))
    begun = process_time()
    abstracts = read(FOLDER / "abstracts.jsonl.gz")
    judgement = learned_by_length(lexicon, links, abstracts, tokeniser=TOKENISER)
    assert judgement.lengths is not None, "it was learned by length"
    own = ", ".join(f"{each:.2f}" for each in judgement.lengths.thresholds(THRESHOLD))
    print(
        f"{THRESHOLD} is {own} for 1, 2, 3, 4 and more tokens; {process_time() - begun:.0f} CPU s"
    )
    for corpus in ("ge-train", "epi-train"):
        judges = proteins(FOLDER / corpus)
        for title, by_length in (("one threshold", False), ("by length", True)):
            how = Labelling(layers=(CONSENSUS,), by_length=by_length)
            labelled = label(judges, lexicon, links, judgement, tokeniser=TOKENISER, how=how)
            row(f"{corpus[:-6]}, {title}", (as_found(each, CONSENSUS) for each in labelled))


if __name__ == "__main__":
    main()
