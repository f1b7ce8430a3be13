"""``vermeil acquire selftrain``: acquired annotation mended by a tagger, round by round."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.acquire.resources import SyntaxTags, TokeniserName
from vermeil.cli.options.chance import Seed
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.writing import AsJson, check_picture, check_target
from vermeil.cli.showing.terminal import print_blocks, print_json, say
from vermeil.errors import UsageError
from vermeil.formats import write
from vermeil.verbs.naming import count_labels

if TYPE_CHECKING:
    from vermeil.acquisition.rounds import Round


def selftrain(
    inputs: Inputs,
    output: Annotated[Path, option("OUT", "Where to write the documents.", "-o", "--output")],
    *,
    layer: Annotated[
        str, option("LAYER", "The layer whose missing names are to be found.")
    ] = "coordination",
    rounds: Annotated[
        int, option("N", "Train a tagger and add what it finds at most N times.", min=1)
    ] = 17,
    threshold: Annotated[
        float,
        option(
            "MARGIN", "How sure the tagger must be of a name, as the mean margin of its tokens."
        ),
    ] = 0.3,
    seed_tokens: Annotated[
        int, option("N", "The first tagger learns from documents of about N tokens.", min=1)
    ] = 683_000,
    sample_tokens: Annotated[
        int, option("N", "Each round reads further documents of about N tokens.", min=1)
    ] = 227_000,
    length_slack: Annotated[
        float | None,
        option(
            "PART",
            "Keep the ratio of lengths: of the names that a round adds, those of one, two, three "
            "or more words are at most 1 + PART times their share among the annotated ones.  "
            "[default: no limit]",
            min=0,
        ),
    ] = None,
    learner: Annotated[
        str,
        option("svm|online", "How taggers are trained: svm is exact, online needs less memory."),
    ] = "svm",
    tags: SyntaxTags = None,
    tokeniser: TokeniserName = None,
    like_paper: Annotated[
        bool,
        flag("Do as the paper does, unless told: --tokeniser separators-paper.", "--like-paper"),
    ] = False,
    page: Annotated[
        Path | None, option("FILE", "Draw Figures 7 and 9 of the paper: rounds and lengths.")
    ] = None,
    resume: Annotated[
        Path | None,
        option(
            "FOLDER",
            "Keep each round there; the same command goes on after the last, also with more "
            "--rounds.",
        ),
    ] = None,
    development: Annotated[
        Path | None,
        option(
            "FILE", "Score the tagger of each round on these documents, the last too (Figure 7)."
        ),
    ] = None,
    gold: Annotated[str, option("LAYER", "The right annotation of those documents.")] = "gold",
    seed: Seed = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Find the names that acquired annotation lacks, in rounds.

    A tagger learns from the annotation, reads more documents and adds the names it is sure of; then
    it learns anew. What was annotated stays. Figure 6 of the acquisition paper.
    """
    from dataclasses import replace

    from vermeil.acquisition.asking import settled
    from vermeil.acquisition.self_training import SHY, SelfTrainingPlan, self_train
    from vermeil.formats import read
    from vermeil.recognise.linear.syntax.sources import open_classifier
    from vermeil.verbs.acquired import round_data, rounds_blocks

    check_target(str(output))
    check_picture(page)
    if development is not None and not development.exists():
        raise UsageError(f"{development}: no such file")
    classifier = None if tags is None else open_classifier(tags)
    source = reading.of(inputs)
    with keeping.ledger(beside=output) as ledger:
        documents = [each for each in source.documents(ledger) if layer in each.layers]
        if not documents:
            raise UsageError(f"no document has a layer {layer!r}; choose one with --layer")
        plan = SelfTrainingPlan(
            tuple(sorted(count_labels(documents, layer))),
            layer,
            n_seed_tokens=seed_tokens,
            n_sample_tokens=sample_tokens,
            n_rounds=rounds,
            threshold=threshold,
            length_slack=length_slack,
            tokeniser=settled({"tokeniser": tokeniser}, like_paper=like_paper)["tokeniser"],
            seed=seed,
            options=replace(SHY, learner=learner, classifier=classifier),
        )
        judges = [] if development is None else list(read(development, annotator=gold))
        done = self_train(
            documents, plan, folder=resume, development=judges, gold=gold, watch=_tell
        )
        write(done.documents, output, ledger=ledger)
    if page is not None:
        from vermeil.reports.acquired import rounds_page
        from vermeil.verbs.trials import write_picture

        write_picture(page, rounds_page(done.rounds))
    if as_json:
        print_json({"output": str(output), "rounds": [round_data(each) for each in done.rounds]})
        return
    title = f"{output}: {len(done.documents):,} documents"
    print_blocks(rounds_blocks(title, done.rounds))


def _tell(done: "Round") -> None:
    said = f"{done.n_added:,} names added" if done.number else f"{done.n_names:,} names, the seed"
    say(f"round {done.number}: {said}")
