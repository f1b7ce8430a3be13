"""``vermeil acquire lexicon``: lexical databases as one file."""

from functools import partial
from pathlib import Path
from time import process_time
from typing import Annotated

from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.reading import listed
from vermeil.cli.options.writing import AsJson, check_target
from vermeil.cli.showing.terminal import print_blocks, print_json, watched
from vermeil.errors import UsageError


def lexicon(
    databases: Annotated[
        list[Path], argument("FILE…", "Databases: gene_info, SQLite of Bioconductor, OBO, or TSV.")
    ],
    output: Annotated[
        Path, option("LEXICON", "Where to write the lexicon (.zip).", "-o", "--output")
    ],
    kind: Annotated[
        str | None,
        option(
            "KIND",
            "What the files are: gene-info, gene-database, obo or tsv; without this their "
            "names tell.",
            offered=("gene-info", "gene-database", "obo", "tsv"),
        ),
    ] = None,
    label: Annotated[
        str | None, option("LABEL", "Label of all names; without this the file tells.")
    ] = None,
    columns: Annotated[
        str,
        option(
            "A,B,…",
            "Columns of gene_info that hold names, such as Symbol,Synonyms; all six without this.",
        ),
    ] = "",
    organism: Annotated[
        list[str] | None,
        option(
            "TAXID",
            "Take only the genes of this organism from gene_info, 9606 for humans; may be given "
            "several times.",
        ),
    ] = None,
    spelling: Annotated[
        str,
        option(
            "HOW",
            "What is found as a name: its exact spelling, any case (folded, or long-folded: "
            "of long names only), or any case, hyphens and Greek letters (normalised).",
            offered=("exact", "long-folded", "folded", "normalised"),
        ),
    ] = "normalised",
    stop_words: Annotated[
        Path | None, option("FILE", "A list of words that are no names, one a line.")
    ] = None,
    min_length: Annotated[int, option("N", "Leave out names of fewer characters.", min=1)] = 2,
    max_length: Annotated[int, option("N", "Leave out names of more characters.", min=1)] = 100,
    families: Annotated[
        bool,
        flag(
            "Keep names of families, such as STAT where STAT1 and STAT2 are symbols.",
            "--families/--no-families",
        ),
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Compile databases of names into one file, fast to search.

    Names that cannot be used are left out and counted: numbers, single characters, stop words.
    """
    from vermeil.acquisition.lexicon.files import save_lexicon
    from vermeil.acquisition.lexicon.unwanted import words_of_list
    from vermeil.verbs.acquired import lexicon_data, lexicon_table
    from vermeil.verbs.acquiring import compiled_lexicon

    check_target(str(output))
    for path in (*databases, *([stop_words] if stop_words else ())):
        if not path.exists():
            raise UsageError(f"{path}: no such file")
    begun = process_time()
    compiled = compiled_lexicon(
        databases,
        kind=kind,
        label=label,
        columns=listed(columns),
        organisms=organism or (),
        spelling=spelling,
        stop_words=words_of_list(stop_words) if stop_words else frozenset(),
        min_length=min_length,
        max_length=max_length,
        families=families,
        watched=partial(watched, noun="entries"),
    )
    save_lexicon(compiled, output)
    done = compiled.compilation
    size, seconds = output.stat().st_size, process_time() - begun
    if as_json:
        told = {"output": str(output), **lexicon_data(done), "labels": list(compiled.labels)}
        print_json({**told, "bytes": size, "seconds": seconds})
        return
    title = f"{output}: {size / 1e6:.1f} MB, {', '.join(compiled.labels)}, {seconds:.0f} CPU s"
    print_blocks([lexicon_table(title, done)])
