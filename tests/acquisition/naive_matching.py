"""What ``acquire.lexicon.matching`` should find, worked out with a dict over token windows."""

from collections.abc import Sequence

from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import Matches
from vermeil.acquisition.lexicon.normal_form import spelled
from vermeil.acquisition.lexicon.unwanted import FUNCTION_WORDS
from vermeil.document import Document
from vermeil.text.sentences import split_sentences
from vermeil.text.tokens import tokenise

Row = tuple[int, int, int, int, bool]
PAIRS = {")": "(", "]": "[", "}": "{"}


def rows_of(matches: Matches) -> list[Row]:
    columns = (matches.document, matches.start, matches.end, matches.key, matches.is_exact)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def naive_match(
    lexicon: Lexicon, documents: Sequence[Document], *, tokeniser: str, overlapping: bool
) -> list[Row]:
    found: list[Row] = []
    for number, document in enumerate(documents):
        windows = naive_windows(lexicon, document.text, tokeniser)
        order = sorted(windows, key=lambda row: (row[0], -row[1], row[2]))
        free = 0
        for start, end, key in order:
            if overlapping or start >= free:
                found.append((number, start, end, key, windows[start, end, key]))
                free = end
    return found


def naive_windows(lexicon: Lexicon, text: str, tokeniser: str) -> dict[tuple[int, int, int], bool]:
    names = {lexicon.names.name(row): int(lexicon.key_of_name[row]) for row in range_of(lexicon)}
    loose = {
        lexicon.loose.name(row): (int(lexicon.key_of_loose[row]), lexicon.has_function_word[row])
        for row in range(len(lexicon.loose))
    }
    found: dict[tuple[int, int, int], bool] = {}
    tokens = tokenise(text, by=tokeniser)
    sentence = {
        at: which for which, (a, b) in enumerate(split_sentences(text)) for at in range(a, b)
    }
    for first, (start, _) in enumerate(tokens):
        for last in range(first, len(tokens)):
            end = tokens[last][1]
            if sentence[start] != sentence[end - 1]:
                continue
            words = [text[a:b] for a, b in tokens[first : last + 1]]
            if text[start:end] in names:
                found[start, end, names[text[start:end]]] = True
            form = lexicon.loose.form
            key, may_have_function_word = loose.get(spelled(text[start:end], form), (-1, False))
            if (
                key >= 0
                and spelled(words[0], form)
                and spelled(words[-1], form)
                and (may_have_function_word or FUNCTION_WORDS.isdisjoint(map(str.lower, words)))
                and closes(text[start:end])
            ):
                found.setdefault((start, end, key), False)
    return found


def range_of(lexicon: Lexicon) -> range:
    return range(len(lexicon.names))


def closes(text: str) -> bool:
    stack = ""
    for character in text:
        if character in "([{":
            stack += character
        elif character in PAIRS:
            if stack[-1:] != PAIRS[character]:
                return False
            stack = stack[:-1]
    return not stack
