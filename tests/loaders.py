"""The table of all that is loaded, for fuzzing.py: a row for each kind of file."""

from contextlib import suppress
from functools import cache, partial
from itertools import islice
from pathlib import Path

from tests.acquisition.bed import abstracts, lexicon, links, write_links
from tests.fuzzing import Loader
from tests.recognise.tiny import coarse_cascade, samples, tiny_cascade, worded_cascade
from tests.recognise.word_classes.made_up import words
from tests.review.reviews import three_documents
from vermeil import Document, Tree
from vermeil.acquisition.databases.entries import read_entries
from vermeil.acquisition.databases.references import read_references
from vermeil.acquisition.lexicon.files import load_lexicon, save_lexicon
from vermeil.acquisition.lexicon.matching import match
from vermeil.acquisition.support.judgement import Judgement
from vermeil.cli.options.reading import parsed_options, parsed_weights
from vermeil.conversion import ConvertStage
from vermeil.errors import UnknownNameError
from vermeil.formats import FORMATS, get_format, read, settled_options, write
from vermeil.formats.files.states import MANIFEST
from vermeil.formats.inputs import Input
from vermeil.parsers.answers import judge
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import RECOGNISERS, Recogniser, load, save
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.words.knowledge import Resources
from vermeil.review.exporting import gold
from vermeil.review.importing import import_documents
from vermeil.review.store import Store
from vermeil.runs.engines import InProcess
from vermeil.runs.manifest import found_manifest, locked
from vermeil.runs.results import read_result
from vermeil.runs.sharded import Run, go
from vermeil.runs.shards import plan_shards
from vermeil.runs.tasks import Output, Reading

TEXT = Document(id="1", text="Loss of ABC1 and KIN2, with cisplatin 5 mg (p53) was seen in mice.")
WORDS = ("p53", "binds", "DNA")
LINES = {
    "gene_info": (
        "#tax_id\tGeneID\tSymbol\tSynonyms\tdescription\tSymbol_from_nomenclature_authority\t"
        "Full_name_from_nomenclature_authority\tOther_designations\n"
        "9606\t672\tBRCA1\tIRIS|PSCP\tBRCA1 DNA repair\tBRCA1\tBRCA1 repair\tbreast|BRCC1\n"
    ),
    "a.obo": '[Term]\nid: CHEBI:1 ! ethanol\nname: ethanol\nsynonym: "EtOH" RELATED []\n',
    "names.tsv": "name\tid\tlabel\nBRCA1\t672\tGene\n",
}


@cache
def recogniser(kind: str) -> Recogniser:
    if kind == "cascade":
        return tiny_cascade()
    if kind == "cascade without a rescorer":
        return coarse_cascade()
    if kind == "cascade with words":
        return worded_cascade()
    recipe = Recipe(("Chemical", "Gene"), n_rounds=3, n_deals=1)
    return RECOGNISERS[kind].fit(samples()[:20], recipe, Resources({"Chemical": ["cisplatin"]}))


def _save_model(kind: str, folder: Path) -> Path:
    save(recogniser(kind), folder / "model.zip")
    return folder / "model.zip"


def _save_lexicon(folder: Path) -> Path:
    save_lexicon(lexicon(), folder / "lexicon.zip")
    return folder / "lexicon.zip"


def _save_words(folder: Path) -> Path:
    words().save(folder / "words.zip")
    return folder / "words.zip"


def _look_up(path: Path) -> None:
    known = LearnedWords.load(path)
    for table in (known.tokens, known.runs):
        table.classes(WORDS)
        table.vectors_of(WORDS)


@cache
def _judgement() -> Judgement:
    return Judgement.learn(lexicon(), links(), abstracts())


def _save_judgement(folder: Path) -> Path:
    _judgement().save(folder / "judgement.zip")
    return folder / "judgement.zip"


def _write_text(name: str, content: str, folder: Path) -> Path:
    (folder / name).write_text(content, encoding="utf-8")
    return folder / name


def _write_references(folder: Path) -> Path:
    write_links(folder / "links.tsv")
    return folder / "links.tsv"


def _make_review(folder: Path) -> Path:
    path = folder / "a.review"
    with Store(path) as store:
        import_documents(store, three_documents())
    return path


def _read_review(path: Path) -> None:
    for beside in ("-wal", "-shm", ".lock"):
        Path(f"{path}{beside}").unlink(missing_ok=True)
    with Store(path, read_only=True) as store:
        list(gold(store))


def _run(path: Path) -> Run:
    source = path.parent.parent / "in.jsonl"
    return Run(
        ConvertStage(),
        lambda: plan_shards([Input(source)], size=300),
        Reading(),
        path.parent,
        Output(str(path.parent / "write")),
    )


def _make_run(folder: Path) -> Path:
    write(list(samples())[:4], folder / "in.jsonl")
    path = folder / "run" / MANIFEST
    with locked(path.parent):
        go(_run(path), InProcess)
    return path


def _make_result(folder: Path) -> Path:
    return next(_make_run(folder).parent.glob("write/*.npz"))


def _go_on(path: Path) -> None:
    found_manifest(path.parent)
    with locked(path.parent):
        go(_run(path), InProcess)


def _make_trees(folder: Path) -> Path:
    tree = "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"
    return _write_text("a.mrg", f"{tree}\n\n(TOP {tree})\n", folder)


def _judge_answers(path: Path) -> None:
    answer = path.read_bytes().decode(errors="replace")
    made = judge(answer, WORDS)
    if isinstance(made, str):
        Tree.parse(made)


def _parse_options(path: Path) -> None:
    pairs = path.read_bytes().decode(errors="replace").split("\n")
    parsed_weights(pairs)
    for name in ("jsonl", "conll", "brat"):
        with suppress(UnknownNameError):
            settled_options(name, get_format(name), parsed_options(pairs))


def _documents(format: str, folder: Path) -> Path:
    path = folder / "seed"
    some = [each.replace(layers={"gold": each.layers["gold"]}) for each in islice(samples(), 2)]
    write(some, path, format=format)
    return path


def _read(format: str, path: Path) -> None:
    list(read(path, format=format, annotator="gold", documents=[*islice(samples(), 2)]))


def _tag(path: Path) -> None:
    load(path).find([TEXT])


FILES = sorted(
    name
    for name, row in FORMATS.items()
    if row.write and not row.folder and (row.read or row.annotate)
)
LOADERS: dict[str, Loader] = {
    **{
        f"document: {name}": Loader(partial(_documents, name), partial(_read, name))
        for name in FILES
    },
    **{
        f"model: {kind}": Loader(partial(_save_model, kind), _tag, is_zip=True)
        for kind in (
            "cascade",
            "cascade without a rescorer",
            "cascade with words",
            "linear",
            "hmm",
            "dictionary",
        )
    },
    "learned words": Loader(_save_words, _look_up, is_zip=True),
    "lexicon": Loader(
        _save_lexicon,
        lambda path: match(load_lexicon(path), [TEXT], tokeniser="separators"),
        is_zip=True,
    ),
    "judgement": Loader(
        _save_judgement,
        lambda path: Judgement.load(path, lexicon(), links()).judge([TEXT]),
        is_zip=True,
    ),
    **{
        f"names: {name}": Loader(
            partial(_write_text, name, content), lambda path: list(read_entries(path))
        )
        for name, content in LINES.items()
    },
    "references": Loader(_write_references, read_references),
    "review": Loader(_make_review, _read_review),
    "manifest of a run": Loader(_make_run, _go_on),
    "result of a shard": Loader(_make_result, read_result),
    "trees": Loader(_make_trees, lambda path: list(read(path, format="penn", annotator="p"))),
    "answer of a parser": Loader(
        partial(_write_text, "answer", "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"),
        _judge_answers,
    ),
    "options (-O, --weight)": Loader(
        partial(_write_text, "options", "anna=0.5\nben=1"), _parse_options
    ),
}
