"""What an audit of a database proposes, checked on gold that it has not seen.

Names of four organisms' genes, 22,589 abstracts and gene2pubmed. Of the names that no reference
supports in at least N documents, those that stand in the GE abstracts as longest matches: the share
of these matches that is no protein there. Names that the database lacks: what the model ``gene``
is sure of in the GE abstracts and no record has, in at least two documents; the share of their
occurrences that is a protein there, exactly, and by any shared character. The model was trained on
annotated sentences of another corpus, whose names are longer. So the same is done again without
gold: a fifth of the names of the database is hidden, and names that references support in at least
two of 3,000 abstracts are to be proposed again. Reads VERMEIL_CORPORA.

    python -m benchmarks.database_audit
"""

from collections.abc import Sequence
from itertools import islice
from time import process_time

import numpy as np

from benchmarks.acquisition import FOLDER, GOLD, LABEL, genes, proteins
from benchmarks.hidden_names import is_hidden
from vermeil import Document, load
from vermeil.acquisition.database_audit import (
    UNLISTED,
    UNSUPPORTED,
    AuditPlan,
    DatabaseAudit,
    audit_database,
)
from vermeil.acquisition.databases.entries import read_entries
from vermeil.acquisition.databases.references import Links, read_references
from vermeil.acquisition.lexicon.compilation import Lexicon, compile_lexicon
from vermeil.acquisition.lexicon.matching import match
from vermeil.acquisition.lexicon.normal_form import normal_form
from vermeil.formats import read

LEAST = (3, 10, 30, 100)
TAGGED = "gene"
N_DOCUMENTS = 3000


def main() -> None:
    """Print a row for each number of documents, and one for names that are lacking."""
    if not FOLDER.is_dir():
        print(f"no abstracts at {FOLDER}; set VERMEIL_CORPORA")
        return
    lexicon = genes("normalised")
    links = Links.of(lexicon, read_references(FOLDER / "gene2pubmed.tsv.gz"))
    judges = proteins(FOLDER / "ge-train")
    begun = process_time()
    made = audit_database(
        lexicon, links, read(FOLDER / "abstracts.jsonl.gz"), AuditPlan(least=LEAST[0])
    )
    print(f"{len(made.findings):,} names that no reference supports; {_since(begun)}")
    for least in LEAST:
        unsupported_row(made, judges, least)
    begun = process_time()
    tagged = list(load(TAGGED).tag(judges))
    plan = AuditPlan(layer=TAGGED, least=2, n_examples=len(judges))
    lacking = audit_database(lexicon, links, tagged, plan)
    unlisted_row(lacking, tagged)
    hidden_row(lexicon, links)
    print(_since(begun))


def unsupported_row(made: DatabaseAudit, judges: Sequence[Document], least: int) -> None:
    """Tell how many matches of such names are no proteins."""
    matches = match(made.lexicon, judges, tokeniser=made.tokeniser)
    columns = matches.document, matches.start, matches.end, matches.key
    n_names = sum(each.n_documents >= least for each in made.keys.values())
    n = n_wrong = n_apart = n_all = n_all_wrong = 0
    for number, start, end, key in zip(*(each.tolist() for each in columns), strict=True):
        gold = judges[number].layers[GOLD]
        is_wrong = not any((span.start, span.end) == (start, end) for span in gold)
        n_all, n_all_wrong = n_all + 1, n_all_wrong + is_wrong
        finding = made.keys.get(key)
        if finding is not None and finding.n_documents >= least:
            n, n_wrong = n + 1, n_wrong + is_wrong
            n_apart += not any(span.start < end and start < span.end for span in gold)
    print(
        f"{UNSUPPORTED} in {least:>3} documents or more: {n_names:,} names, {n:,} matches in GE, "
        f"{n_wrong / n:.1%} of them no proteins, {n_apart / n:.1%} not even a part of one "
        f"(of all matches {n_all_wrong / n_all:.1%} are no proteins)",
        flush=True,
    )


def unlisted_row(made: DatabaseAudit, tagged: Sequence[Document]) -> None:
    """Tell how many occurrences of names that are lacking are proteins."""
    n = n_right = n_near = 0
    for each in made.marked(tagged):
        gold = each.layers[GOLD]
        for span in each.layers[UNLISTED]:
            n += 1
            n_right += any((one.start, one.end) == (span.start, span.end) for one in gold)
            n_near += any(one.start < span.end and span.start < one.end for one in gold)
    lacking = list(made.forms.values())
    print(
        f"{UNLISTED}: {len(lacking):,} names, {sum(bool(each.ids) for each in lacking):,} of them "
        f"beside a listed one; {n:,} occurrences, {n_right / n:.1%} exactly a protein, "
        f"{n_near / n:.1%} a part of one, or more"
    )


def hidden_row(lexicon: Lexicon, links: Links) -> None:
    """Tell how many hidden names are proposed again."""
    every = read(FOLDER / "abstracts.jsonl.gz")
    known = (each for each in every if links.references.number_of(each.id) >= 0)
    tagged = list(load(TAGGED).tag(list(islice(known, N_DOCUMENTS))))
    matches = match(lexicon, tagged, tokeniser="punctuation")
    supported = matches.keep(links.support(matches, tagged))
    pairs = np.unique(np.stack((supported.key, supported.document)), axis=1)
    keys, n = np.unique(pairs[0], return_counts=True)
    wanted = {
        normal_form(name)
        for key in keys[n >= 2].tolist()
        for name in lexicon.names_of(key)
        if is_hidden(name)
    }
    texts = {normal_form(span.marked(each.text)) for each in tagged for span in each.layers[TAGGED]}
    entries = (
        entry
        for path in sorted(FOLDER.glob("*.gene_info.gz"))
        for entry in read_entries(path, label=LABEL)
        if not is_hidden(entry.name)
    )
    fewer = compile_lexicon(entries, spelling="normalised", min_loose_length=2)
    again = Links.of(fewer, links.references)
    made = audit_database(fewer, again, tagged, AuditPlan(layer=TAGGED, least=2))
    hidden = [form for form in made.forms if is_hidden(form)]
    found = wanted & set(made.forms)
    beside = [made.forms[form] for form in found if made.forms[form].ids]
    print(
        f"hidden: {len(found):,} of {len(wanted):,} names that references support are proposed "
        f"again ({len(wanted & texts):,} are found by the model at all), {len(beside):,} beside a "
        f"listed one; {len(hidden):,} of {len(made.forms):,} proposals are of the fifth"
    )


def _since(begun: float) -> str:
    return f"{process_time() - begun:.0f} CPU s"


if __name__ == "__main__":
    main()
