"""Very long sentences in pieces that advance side by side.

A text without sentence ends, such as a table or 10,000 times ``alpha-``, is one sentence, and a
chain goes through it token by token: thirty times the work of prose, where hundreds of sentences
advance together. So a sentence of more than LONGEST tokens is cut into pieces. For each tag before
a piece the sequences through it are summed up, for all pieces at once; then the sums are handed
from piece to piece, forwards and backwards, and every piece starts with what enters it. They are
sums over the same sequences of the whole sentence: nothing is lost at a cut, and it is the sentence
alone that decides where it is cut. Sentences that are not cut are summed up as ever, to the digit.
"""

from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags, Floats, Ints, ranges
from vermeil.sequences.chains.potentials import ChainPotentials, relative
from vermeil.sequences.chains.steps import Steps
from vermeil.sequences.chains.sums import forward_sums, mixed, total

LONGEST = 512
"""Tokens of the longest sentence that is left whole."""

PIECE = 256
"""Tokens of a piece of a longer one; the last may be shorter."""


@dataclass(frozen=True, slots=True, eq=False)
class SentencePieces:
    """Where pieces begin, and what there is on either side of them.

    ``first_token`` is as that of sentences. ``entering[tag, piece]`` are the weights of tags at the
    first token before its own scores are looked at, ``beyond[tag, piece]`` the backward sums at the
    last; both have one column for all pieces where no sentence is cut.
    """

    first_token: Ints
    entering: Floats | Flags
    beyond: Floats | None

    @staticmethod
    def of(potentials: ChainPotentials, transition: Floats) -> "SentencePieces":
        """Cut sentences that are too long; ``transition`` is no longer a logarithm."""
        first_token, opening = potentials.first_token, potentials.tags.allowed_first[:, None]
        length = np.diff(first_token)
        n_pieces = np.where(length > LONGEST, -(-length // PIECE), 1)
        if len(length) == n_pieces.sum():
            return SentencePieces(first_token, opening, None)
        sentence, number = ranges(np.zeros_like(n_pieces), n_pieces)
        first = np.append(first_token[sentence] + PIECE * number, first_token[-1])
        entering = np.repeat(opening.astype(np.float64), len(sentence), axis=1)
        beyond = np.ones_like(entering)
        cut = np.flatnonzero(n_pieces[sentence] > 1)
        through = _Through.of(potentials.unary, first[cut], first[cut + 1], opening, transition)
        now = through.begun[:, 0]
        for at, one in enumerate(cut.tolist()):
            if number[one]:
                entering[:, one] = mixed(now, transition)
                now = through.forward(at, now)
            else:
                now = through.begun[:, at]
        for at, one in reversed(list(enumerate(cut.tolist()))):
            if number[one]:
                beyond[:, one - 1] = through.backward(at, beyond[:, one])
        return SentencePieces(first, entering, beyond)


@dataclass(frozen=True, slots=True, eq=False)
class _Through:
    """Sums over the sequences through each piece.

    ``begun[tag, piece]`` are those of a sentence that starts with the piece, by its last tag.
    ``ended[tag before, tag, piece]`` are those after a tag; what each was before it was scaled to 1
    has the logarithm ``log_scale[tag before, piece]``.
    """

    begun: Floats
    ended: Floats
    log_scale: Floats

    @staticmethod
    def of(unary: Floats, first: Ints, end: Ints, opening: Flags, transition: Floats) -> "_Through":
        """Sum up the pieces from tokens ``first`` up to ``end``."""
        _, token = ranges(first, end)
        steps = Steps.of(np.append(0, np.cumsum(end - first)))
        emission, _ = relative(steps.in_rows(unary[token]))
        sums, scales = [], []
        for entering in (opening, *transition[:, :, None]):
            forward, scale = forward_sums(steps, emission, transition, entering)
            by_piece = np.empty((len(forward), len(first)))
            by_piece[:, steps.sentence] = forward[:, steps.last_rows()]
            sums.append(by_piece)
            logs = steps.in_tokens(np.log(scale))
            scales.append(np.add.reduceat(logs, np.cumsum(end - first) - (end - first)))
        return _Through(sums[0], np.stack(sums[1:]), np.stack(scales[1:]))

    def forward(self, piece: int, before: Floats) -> Floats:
        """Go from the sums at the token before a piece to those at its last token."""
        share = _scaled(before, self.log_scale[:, piece])
        return _shared(mixed(share, self.ended[:, :, piece]))

    def backward(self, piece: int, beyond: Floats) -> Floats:
        """Go from the sums at the last token of a piece to those at the token before it."""
        after = total(self.ended[:, :, piece].T * beyond[:, None])
        return _shared(_scaled(after, self.log_scale[:, piece]))


def _scaled(values: Floats, log_scale: Floats) -> Floats:
    """Multiply values by scales too small or too large to write; only ratios matter."""
    with np.errstate(divide="ignore"):
        logs = np.log(values) + log_scale
    scaled: Floats = np.exp(logs - logs.max())
    return scaled


def _shared(values: Floats) -> Floats:
    shared: Floats = values / total(values)
    return shared
