"""``trees.diagnose`` and ``trees.compare``: what parsers get wrong, what treebanks are made of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from vermeil.errors import UnknownNameError, UsageError
from vermeil.tree import escape
from vermeil.verbs.tables.table import Block, Tabled, json_data
from vermeil.verbs.trees.reading import Parsers, Trees, parser_source, steps_of
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.columns.trees.table import TreeTable
    from vermeil.formats.forests import Forests
    from vermeil.scoring.trees.diagnosis import Diagnosis
    from vermeil.scoring.trees.usage import Failures, Usage

N_HINTS = 10


class TreeDiagnoses(Tabled):
    """Which rules parsers get wrong, and what they write instead; one's by its name."""

    def __init__(
        self, gold: str, parsers: "Mapping[str, Diagnosis]", rule: str | None, top: int
    ) -> None:
        self.gold, self.parsers = gold, dict(parsers)
        self.rule, self._top = rule, top

    def __getitem__(self, parser: str) -> "Diagnosis":
        if parser not in self.parsers:
            raise UnknownNameError("parser", str(parser), self.parsers)
        return self.parsers[parser]

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.diagnosis import diagnosis_blocks, rule_blocks

        if self.rule is not None:
            return rule_blocks(self.parsers, self.gold, self.rule)
        return diagnosis_blocks(self.parsers, self.gold, top=self._top)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a parser and rule, the commonest first."""
        for parser, said in self.to_dict()["parsers"].items():
            for rule in said["rules"]:
                yield {"parser": parser, **{k: v for k, v in rule.items() if k != "instead"}}

    def to_dict(self) -> dict[str, Any]:
        """Return everything, or what concerns one rule, as JSON has it."""
        from vermeil.verbs.tables.diagnosis import diagnosis_data

        return json_data(diagnosis_data(self.parsers, self.gold, rule=self.rule))

    def __repr__(self) -> str:
        return f"<TreeDiagnoses: {len(self.parsers)} parsers against {self.gold}>"


@verb
def diagnose(
    gold: Trees,
    parsers: Parsers,
    *,
    rule: str | None = None,
    top: int = 10,
    prepare: str | Iterable[str] = "clegg",
    parsed_only: bool = False,
    literal: bool = False,
    format: str | None = None,
    skip_bad: bool = False,
) -> TreeDiagnoses:
    """Find which production rules parsers get wrong, and what they write instead.

    A production is right if boundaries, parent and daughters are; for one that is missed the
    closest wrong one counts (with ``literal`` the closest, wrong or right, as the paper's text has
    it). ``rule``, as in ``"NP -> NN NN"``, shows all that stands in its place.
    """
    source = parser_source(parsers, gold=gold, format=format, skip_bad=skip_bad)
    name, found = pooled_diagnoses(
        source.batches(), steps_of(prepare), parsed_only=parsed_only, literal=literal
    )
    if not found:
        raise UsageError(f"{source.names[0]}: holds no trees")
    wanted = known_rule(rule, found) if rule is not None else None
    return TreeDiagnoses(name, found, wanted, top)


def pooled_diagnoses(
    stream: "Iterable[Forests]", steps: Sequence[str], *, parsed_only: bool, literal: bool = False
) -> "tuple[str, dict[str, Diagnosis]]":
    """Add up the diagnoses of all batches; name the standard, too."""
    from vermeil.columns.trees.productions import Rules
    from vermeil.scoring.trees.diagnosis import Diagnosis
    from vermeil.scoring.trees.diagnosis import diagnose as diagnose_trees

    gold, found, rules = "", dict[str, Diagnosis](), None
    for forests in stream:
        gold, *parsers = forests.tables
        tables = forests.prepared(steps, standard=gold)
        if rules is None:
            rules = Rules(tables[gold].names.labels)
        for parser in parsers:
            found[parser] = found.get(parser, Diagnosis()) + diagnose_trees(
                tables[gold],
                tables[parser],
                rules,
                first=forests.first,
                parsed_only=parsed_only,
                literal=literal,
            )
    return gold, found


def spelt(rule: str) -> str:
    """Spell a rule as tables do, given with either arrow and brackets as such or escaped.

    >>> spelt("PRN->( NP )")
    'PRN → -LRB- NP -RRB-'
    """
    from vermeil.columns.trees.productions import ARROW

    parent, arrow, daughters = rule.replace("->", "→").partition("→")
    if not (parent.strip() and arrow and daughters.strip()):
        raise UsageError(f"--rule takes 'PARENT -> DAUGHTERS', not {rule!r}")
    return parent.strip() + ARROW + " ".join(map(escape, daughters.split()))


def known_rule(rule: str, diagnoses: "Mapping[str, Diagnosis]") -> str:
    """Spell a rule; refuse one that neither the standard nor a parser uses."""
    name = spelt(rule)
    used = {each for diagnosis in diagnoses.values() for each in diagnosis.by_rule}
    if name not in used:
        commonest = next(iter(diagnoses.values())).commonest
        hints = get_close_matches(name, sorted(used)) or commonest[:N_HINTS]
        raise UnknownNameError("rule", name, hints)
    return name


class TreebankComparison(Tabled):
    """What treebanks are made of, side by side, and what parsers failed on."""

    def __init__(
        self, treebanks: "Mapping[str, Usage]", failures: "Mapping[str, Failures]", top: int
    ) -> None:
        self.treebanks, self.failures, self._top = dict(treebanks), dict(failures), top

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.treebanks import failure_blocks, usage_blocks

        yield from usage_blocks(self.treebanks, top=self._top)
        if self.failures:
            yield from failure_blocks(self.failures)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a treebank."""
        for name, said in self.to_dict()["treebanks"].items():
            plain = {key: value for key, value in said.items() if isinstance(value, int | float)}
            yield {"treebank": name, **plain}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        from vermeil.verbs.tables.treebanks import treebank_data

        return json_data(treebank_data(self.treebanks, self.failures))

    def __repr__(self) -> str:
        return f"<TreebankComparison: {', '.join(self.treebanks)}>"[:160]


@verb
def compare(
    treebanks: Parsers,
    *,
    failures: Trees | None = None,
    top: int = 25,
    prepare: str | Iterable[str] = "clegg",
    format: str | None = None,
    skip_bad: bool = False,
) -> TreebankComparison:
    """Compare treebanks: sizes, rules, labels, lengths and complexities of sentences.

    They may hold different sentences. With ``failures`` they are parses of the sentences of that
    treebank, which is compared too, and it is shown which of these the parsers failed on.
    """
    source = parser_source(treebanks, gold=failures, format=format, skip_bad=skip_bad)
    parts = [source] if failures is not None else source.apart
    batches = (batch for part in parts for batch in part.batches())
    usages, failed = compared(batches, steps_of(prepare), with_failures=failures is not None)
    for name in source.names:
        if name not in usages:
            raise UsageError(f"{name}: holds no trees")
    return TreebankComparison(usages, failed, top)


def compared(
    batches: "Iterable[Forests]", steps: Sequence[str], *, with_failures: bool
) -> "tuple[dict[str, Usage], dict[str, Failures]]":
    """Add up what treebanks are made of, and where parsers failed on the first of them."""
    from vermeil.scoring.trees.usage import Failures, Usage, describe

    usages: dict[str, Usage] = {}
    failed: dict[str, Failures] = {}
    for batch in batches:
        standard = next(iter(batch.tables)) if with_failures or len(batch.tables) == 1 else None
        tables = batch.prepared(steps, standard=standard)
        for name, table in tables.items():
            usages[name] = usages.get(name, Usage()) + describe(table)
        if with_failures:
            _add_failures(failed, tables)
    return usages, failed


def _add_failures(failed: "dict[str, Failures]", tables: "Mapping[str, TreeTable]") -> None:
    from vermeil.scoring.trees.usage import Failures, failures

    gold, *parsers = tables
    for parser in parsers:
        failed[parser] = failed.get(parser, Failures()) + failures(tables[gold], tables[parser])
