"""``acquire``: training data and recognisers without hand annotation.

``acquire(…)`` does all steps to a recogniser, as the command ``acquire run``; ``acquire.lexicon``,
``acquire.label`` and ``acquire.selftrain`` are the steps one by one; ``acquire.ladder`` and
``acquire.worth`` tell what they bring.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.verbs.acquired import CompiledLexicon, LabelledDocuments, MendedDocuments
from vermeil.verbs.checking import file_given, path_given
from vermeil.verbs.comparisons.ladder import ladder
from vermeil.verbs.comparisons.worth import worth
from vermeil.verbs.corpus import some_documents
from vermeil.verbs.models import Model
from vermeil.verbs.naming import count_labels, names_of
from vermeil.verbs.proposals.audit import audit
from vermeil.verbs.proposals.links import links
from vermeil.verbs.trials import write_picture
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.acquisition.lexicon.compilation import Lexicon
    from vermeil.acquisition.rounds import Round

PathLikeText = str | PathLike[str]


@verb
def run(
    documents: Any,
    lexicon: PathLikeText,
    references: PathLikeText,
    output: PathLikeText,
    *,
    by: str = "committee",
    n_documents: int = 8000,
    threshold: float | None = None,
    unlisted: bool = False,
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
) -> Model:
    """Make a recogniser from a lexicon, its references and plain text, all steps in one.

    ``output`` is the folder for all of it; the model is ``model.zip`` there. A run that was ended
    goes on when the same is asked for again. ``n_documents`` at most are learned from, those with
    references first. ``threshold`` is the score from which a match of the lexicon is labelled as a
    name, -2.5 without it. ``unlisted`` finds more names that no database has, at the cost of
    precision. ``say`` is told what is being done.
    """
    from vermeil.acquisition.acquisition import AcquisitionPlan, acquire
    from vermeil.acquisition.databases.references import open_links
    from vermeil.acquisition.lexicon.files import load_lexicon
    from vermeil.recognise.recogniser import RECOGNISERS

    if by not in RECOGNISERS:
        raise UnknownNameError("recogniser", by, RECOGNISERS)
    corpus = some_documents(documents, verb="acquire")
    paths = [file_given(lexicon), file_given(references)]
    names = load_lexicon(paths[0])
    plan = AcquisitionPlan(by=by, n_documents=n_documents, unlisted=unlisted, seed=seed)
    if threshold is not None:
        plan = plan.with_threshold(threshold)
    done = acquire(
        lambda: iter(corpus),
        names,
        open_links(names, paths[1]),
        plan,
        folder=path_given(output),
        files=paths,
        reading={"documents": _fingerprint(corpus)},
        say=say,
    )
    return Model(done.model, done.path.parent.name)


@verb
def lexicon(
    databases: PathLikeText | Iterable[PathLikeText],
    output: PathLikeText,
    *,
    kind: str | None = None,
    label: str | None = None,
    columns: str | Iterable[str] | None = None,
    organism: str | Iterable[str] | None = None,
    spelling: str = "normalised",
    stop_words: PathLikeText | Iterable[str] = (),
    min_length: int = 2,
    max_length: int = 100,
    families: bool = True,
) -> CompiledLexicon:
    """Compile lexical databases into one file in which names are found fast.

    ``kind`` says what the files are: gene-info, gene-database, obo or tsv; their names tell without
    it. ``columns`` and ``organism`` (such as 9606) choose what is read of gene_info. ``spelling``
    says what is found as a name: exact, long-folded, folded or normalised.
    Numbers, single characters and ``stop_words`` are left out and counted. ``families`` keeps names
    like STAT, which is no symbol while STAT1 and STAT2 are.
    """
    from vermeil.acquisition.lexicon.files import save_lexicon

    given = [databases] if isinstance(databases, str | PathLike) else list(databases)
    paths = [file_given(each) for each in given]
    target = path_given(output)
    compiled = compiled_lexicon(
        paths,
        kind=kind,
        label=label,
        columns=names_of(columns),
        organisms=names_of(organism),
        spelling=spelling,
        stop_words=_stop_words(stop_words),
        min_length=min_length,
        max_length=max_length,
        families=families,
    )
    save_lexicon(compiled, target)
    return CompiledLexicon(target, compiled.labels, compiled.compilation)


@verb
def label(
    documents: Any,
    lexicon: PathLikeText,
    *,
    references: PathLikeText | None = None,
    like_paper: bool = False,
    layers: str | Iterable[str] | None = None,
    learned: PathLikeText | None = None,
    threshold: float | None = None,
    by_length: bool = False,
    coordinate: str | None = None,
    conjunction: str | Iterable[str] | None = None,
    discourse: bool = False,
    tokeniser: str | None = None,
    gold: str | None = None,
) -> LabelledDocuments:
    """Annotate texts with the names of a lexicon, in one layer for each way to believe it.

    ``dictionary`` has every match. With ``references`` there are also ``reference``,
    ``coordination``, and ``consensus``: matches that look like those which references support,
    learned from these texts without gold. ``layers`` chooses among them, or ``exact``: names only
    as the database spells them. What was learned is kept in the file ``learned``, and read where it
    is there. ``by_length`` lets the threshold of ``consensus`` differ by the tokens of a name, set
    on names whose references are hidden. Coordinated are whole ``names``, or ``tokens`` as in
    Figure 5 of the paper, with a ``conjunction`` between. ``gold`` scores the layers against that
    one. ``like_paper`` does as Usami et al. do where nothing else is asked for.
    """
    from vermeil.acquisition.asking import label_stage
    from vermeil.runs.streaming import Held, Streaming

    asked = {
        "layers": names_of(layers),
        "tokeniser": tokeniser,
        "conjunctions": names_of(conjunction),
        "coordinate": coordinate,
    }
    corpus = some_documents(documents, verb="label")
    stage = label_stage(
        lexicon=str(file_given(lexicon)),
        references=str(file_given(references)) if references is not None else None,
        learned=fspath(learned) if learned is not None else None,
        threshold=threshold,
        by_length=by_length,
        by_discourse=discourse,
        gold=gold,
        asked=asked,
        like_paper=like_paper,
    )
    work = Streaming(stage, Held(corpus))
    _ = work.known  # what cannot be read or learned is said now
    return LabelledDocuments(corpus, work)


@verb
def selftrain(
    documents: Any,
    *,
    layer: str = "coordination",
    rounds: int = 17,
    threshold: float = 0.3,
    seed_tokens: int = 683_000,
    sample_tokens: int = 227_000,
    length_slack: float | None = None,
    learner: str = "svm",
    tags: PathLikeText | None = None,
    tokeniser: str | None = None,
    like_paper: bool = False,
    page: PathLikeText | None = None,
    resume: PathLikeText | None = None,
    development: Any = None,
    gold: str = "gold",
    seed: int = 0,
    watch: "Callable[[Round], None] | None" = None,
) -> MendedDocuments:
    """Mend acquired annotation: a tagger adds the names it is sure of, round by round.

    What was annotated stays; the layer ``self-training`` has both. ``resume`` is a folder that
    keeps each round, to go on later. ``development`` are documents with the layer ``gold`` on which
    the tagger of each round is scored. ``length_slack`` keeps the ratio of lengths. ``page`` is
    where Figures 7 and 9 of the paper are drawn. ``like_paper`` cuts text into tokens as Usami et
    al. do. ``tags`` gives the tagger parts of speech and chunks, as in ``train``. ``watch`` is told
    of each round, the seed too.
    """
    from vermeil.acquisition.asking import settled
    from vermeil.acquisition.self_training import SHY, SelfTrainingPlan, self_train
    from vermeil.recognise.linear.syntax.sources import open_classifier

    held = some_documents(documents, verb="selftrain").listed()
    looked = [each for each in held if layer in each.layers]
    if not looked:
        raise UsageError(f"no document has a layer {layer!r}; choose one with --layer")
    judges = [] if development is None else some_documents(development, verb="selftrain").listed()
    plan = SelfTrainingPlan(
        tuple(sorted(count_labels(looked, layer))),
        layer,
        n_seed_tokens=seed_tokens,
        n_sample_tokens=sample_tokens,
        n_rounds=rounds,
        threshold=threshold,
        length_slack=length_slack,
        tokeniser=settled({"tokeniser": tokeniser}, like_paper=like_paper)["tokeniser"],
        seed=seed,
        options=replace(
            SHY,
            learner=learner,
            classifier=None if tags is None else open_classifier(fspath(tags)),
        ),
    )
    folder = path_given(resume) if resume is not None else None
    done = self_train(looked, plan, folder=folder, development=judges, gold=gold, watch=watch)
    if page is not None:
        from vermeil.reports.acquired import rounds_page

        write_picture(page, rounds_page(done.rounds))
    return MendedDocuments(done.documents, done.rounds)


class AcquireVerbs:
    """``vermeil.acquire``: call it to do all steps at once, or take the steps one by one.

    * ``acquire(…)``, or ``acquire.run``: a recogniser from a lexicon, its references and texts
    * ``acquire.lexicon``: databases of names compiled into one file
    * ``acquire.label``: texts annotated with the names of a lexicon
    * ``acquire.selftrain``: the names that acquired annotation lacks
    * ``acquire.links``: the links between documents and records that references lack
    * ``acquire.audit``: names that a database should not have, and names that it lacks
    * ``acquire.ladder``: what each step of the acquisition paper brings
    * ``acquire.worth``: how much hand annotation is as good
    """

    run = staticmethod(run)
    lexicon = staticmethod(lexicon)
    label = staticmethod(label)
    selftrain = staticmethod(selftrain)
    links = staticmethod(links)
    audit = staticmethod(audit)
    ladder = staticmethod(ladder)
    worth = staticmethod(worth)
    __call__ = staticmethod(run)

    def __repr__(self) -> str:
        return "<acquire: run, lexicon, label, selftrain, links, audit, ladder, worth>"


acquire = AcquireVerbs()


def compiled_lexicon(
    paths: Sequence[Path],
    *,
    kind: str | None,
    label: str | None,
    columns: Sequence[str],
    organisms: Sequence[str],
    spelling: str,
    stop_words: frozenset[str],
    min_length: int,
    max_length: int,
    families: bool,
    watched: "Callable[[Iterator[Any]], Iterator[Any]]" = iter,
) -> "Lexicon":
    """Compile the names of databases; ``watched`` may look at entries on their way."""
    from vermeil.acquisition.databases.entries import GENE_INFO, guess_kind, read_entries
    from vermeil.acquisition.lexicon.compilation import SPELLINGS, compile_lexicon

    if spelling not in SPELLINGS:
        raise UnknownNameError("spelling", spelling, SPELLINGS)
    options: dict[str, Any] = {} if label is None else {"label": label}
    options |= {"columns": columns} if columns else {}
    options |= {"tax_ids": organisms} if organisms else {}
    for path in paths if columns or organisms else ():
        if (own := kind or guess_kind(path)) != GENE_INFO:
            raise UsageError(f"{path}: --columns and --organism are of {GENE_INFO}, this is {own}")
    entries = (entry for path in paths for entry in read_entries(path, kind=kind, **options))
    return compile_lexicon(
        watched(entries),
        spelling=spelling,
        stop_words=stop_words,
        min_length=min_length,
        max_length=max_length,
        min_loose_length=min_length,
        with_families=families,
    )


def _stop_words(given: PathLikeText | Iterable[str]) -> frozenset[str]:
    from vermeil.acquisition.lexicon.unwanted import words_of_list

    if isinstance(given, str | PathLike):
        return words_of_list(file_given(given))
    return frozenset(given)


def _fingerprint(documents: Iterable[Document]) -> str:
    """Tell documents from others, so that a folder is not gone on with for other texts."""
    digest = sha256()
    for document in documents:
        for part in (document.id, document.text):
            digest.update(f"{len(part)} {part}".encode())
    return digest.hexdigest()
