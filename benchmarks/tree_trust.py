"""How well trust can go with true scores at all: with gold, from what can be seen of a sentence.

Trust in combined trees is made without gold. Here a ridge regression is taught with gold what goes
with the true leaf-ancestor score and F of a sentence, from trust itself and from what else members
show of it: agreement of each two, the share of brackets that won, tags that differ, rare rules,
length, constituents a word. Ten folds, so that no sentence is judged by what it taught. Of that,
r is printed beside the r of trust: it is about what any measure on these features can reach.

    python -m benchmarks.tree_trust
"""

from collections.abc import Sequence

import numpy as np

from benchmarks.tree_sets import PARSERS, SHORT
from benchmarks.trees import CORPUS
from vermeil.arrays import Floats
from vermeil.columns.trees.brackets import Brackets
from vermeil.columns.trees.productions import productions
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.doubt import word_agreement
from vermeil.consensus.trees.ensembles import Combined, Ensemble
from vermeil.consensus.trees.pool import Pool
from vermeil.consensus.trees.word_axis import given_tags
from vermeil.formats.forests import read_forests
from vermeil.formats.inputs import Input
from vermeil.scoring.trees.scores import score_trees
from vermeil.scoring.trees.trust import correlation

SETS = (PARSERS[:3], (*PARSERS[:1], *PARSERS[2:4]), PARSERS[:4], (PARSERS[0], *PARSERS[3:]))
FOLDS = 10


def main() -> None:
    """Print a line a set."""
    [batch] = read_forests([Input(CORPUS / f"{name}.mrg", name) for name in ("gold", *PARSERS)])
    standard = prepare(batch.tables["gold"], ["clegg"], is_standard=True)
    print(f"{'set':22}{'trust: r LA':>12}{'r F':>7}{'taught: r LA':>14}{'r F':>7}")
    for members in SETS:
        ensemble, some = Ensemble("best", members), batch.of(members)
        learned = ensemble.learn([some])
        made = ensemble.combine(some, learned)
        table = prepare(TreeTable.of(made.trees, standard.names), ["clegg"])
        every = score_trees(standard, table).all
        seen = described(made, table, learned.rules)[every.number - 1]
        known = ~np.isnan(seen).any(axis=1)
        told = []
        for name in ("la", "f1"):
            truth = every.means[name][known]
            told.append(correlation(seen[known, 0], truth))
            told.append(correlation(taught(seen[known], truth), truth))
        name = " ".join(SHORT[each] for each in members)
        print(
            f"{name:22}{told[0]:>12.2f}{told[2]:>7.2f}{told[1]:>14.2f}{told[3]:>7.2f}", flush=True
        )


def described(made: Combined, table: TreeTable, rules: dict[str, int]) -> Floats:
    """Describe sentences by what can be seen without gold; trust comes first."""
    tables = list(made.prepared.values())
    pool, n = Pool.of(made.prepared), len(table)
    words = np.maximum(1, table.n_words)
    chosen = np.bincount(Brackets.of(table).sentence, minlength=n)
    proposed = np.bincount(pool.sentence, minlength=n)
    agreement = word_agreement(table, tables)
    lineages = np.bincount(table.sentence_of_word, np.nan_to_num(agreement), n) / words
    listed = productions(table)
    uses = np.array([rules.get(name, 0) for name in listed.rules.names])[listed.rule]
    rare = np.bincount(listed.sentence, uses <= 2, n) / np.maximum(1, chosen)
    tags = [
        np.mean([1 - each[0][1] for each in said]) if said else 0 for said in given_tags(tables)
    ]
    columns = [made.decision.trust, lineages, *_pairs(pool, n)]
    columns += [chosen / np.maximum(1, proposed), rare, np.array(tags), chosen / words]
    columns += [words, np.log(words), pool.parsed.sum(axis=1)]
    return np.stack(columns, axis=1).astype(np.float64)


def _pairs(pool: Pool, n: int) -> Sequence[Floats]:
    """F of each two members by sentence; what one has not parsed counts as its mean."""
    found = []
    for one in range(len(pool.members)):
        for other in range(one):
            both = np.bincount(pool.sentence, pool.have[:, one] & pool.have[:, other], n)
            size = np.bincount(pool.sentence, pool.have[:, one], n)
            size = size + np.bincount(pool.sentence, pool.have[:, other], n)
            f = 2 * both / np.maximum(1, size)
            parsed = pool.parsed[:, [one, other]].all(axis=1)
            found.append(np.where(parsed, f, f[parsed].mean()))
    return found


def taught(seen: Floats, truth: Floats) -> Floats:
    """Predict what is true of each sentence from what the other folds teach."""
    from sklearn.linear_model import RidgeCV
    from sklearn.model_selection import KFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-1, 4, 20)))
    folds = KFold(FOLDS, shuffle=True, random_state=0)
    predicted: Floats = cross_val_predict(model, seen, truth, cv=folds)
    return predicted


if __name__ == "__main__":
    main()
