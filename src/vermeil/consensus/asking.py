"""What a user can ask of a consensus: our way, the paper's way, or something in between.

Options that the two ways answer differently are None until somebody asks; ``filled_in`` answers
them. PAPER is what Lewin et al., "Centroids", do as printed; the characters left out of the text
are those under which their Figure 5 comes out, which the text does not name.
"""

from collections.abc import Mapping
from math import inf, nan
from pathlib import Path
from typing import Any

from vermeil.consensus.centroids import BOUNDARIES, EXTENTS, Settings
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.source import Source

USUAL: Mapping[str, Any] = {
    "by": "people",
    "emit": "modal",
    "ignored": "",
    "singles": True,
    "boundaries": "names",
    "levels": True,
    "alternatives": False,
}
"""Our way."""

PAPER: Mapping[str, Any] = {
    "by": "centroids",
    "emit": "heart",
    "ignored": "\"'*+-]",
    "singles": False,
    "boundaries": "changes",
    "levels": False,
    "alternatives": True,
}
"""The paper's way: what ``--like-paper`` sets."""


def filled_in(asked: Mapping[str, Any], *, like_paper: bool) -> dict[str, Any]:
    """Fill in what was not asked for: as in the paper, or as we do it.

    >>> filled_in({"by": None, "emit": "extent"}, like_paper=True)
    {'by': 'centroids', 'emit': 'extent'}
    """
    if like_paper and asked.get("by") not in (None, PAPER["by"]):
        raise UsageError(f"--like-paper finds centroids; leave it out for --by {asked['by']}")
    way = PAPER if like_paper else USUAL
    answers = {name: way[name] if value is None else value for name, value in asked.items()}
    if answers.get("boundaries", "names") not in BOUNDARIES:
        raise UnknownNameError("way to count boundaries", answers["boundaries"], BOUNDARIES)
    return answers


def paper_settings() -> Settings:
    """Return how the paper finds centroids."""
    names = ("ignored", "singles", "boundaries", "levels")
    return Settings(**{name: PAPER[name] for name in names})


def amount(
    option: str, given: float | str, said: str = "", *, weighed: bool = False
) -> dict[str, float]:
    """Read a number of votes, or a share of them where there is a percent sign.

    ``said`` is how the user spells the option. Part of a vote, which was meant to be a share, is
    refused unless votes are ``weighed``.

    >>> amount("min_votes", 2), amount("min_votes", "50%"), amount("tolerance", "10%")
    ({'min_votes': 2.0}, {'min_share': 0.5}, {'tolerance_share': 0.1})
    """
    value, is_share = _number(option, given, said)
    if 0 < value < 1 and not (is_share or weighed):
        raise UsageError(
            f"{said or option} takes a number of votes, not {given!r}; for a share say "
            f"'{100 * value:g}%'"
        )
    share = f"{option.partition('_')[0]}_share"
    return {share: value} if is_share else {option: value}


def share_of(option: str, given: float | str | None, said: str = "") -> float | None:
    """Read a share above 0 and up to 1, or a percentage; None where nothing was said.

    >>> share_of("mass", "95%"), share_of("mass", 1), share_of("mass", "")
    (0.95, 1.0, None)
    """
    if given is None or given == "":
        return None
    value, _ = _number(option, given, said)
    if not 0 < value <= 1:
        raise UsageError(f"{said or option} takes a share above 0 and up to 1, not {given!r}")
    return value


def check_extents(given: str) -> str:
    """Refuse what is no way to value boundaries."""
    if given and given not in EXTENTS:
        raise UnknownNameError("way to value boundaries", given, EXTENTS)
    return given


def terms_in(path: Path) -> frozenset[str]:
    """Read general terms from a file, one a line."""
    return frozenset(line.strip() for _, line in Source(path, "").lines() if line.strip())


def _number(option: str, given: float | str, said: str) -> tuple[float, bool]:
    """Read a number, or a percentage as a share; tell which it was."""
    written = str(given)
    is_share = written.endswith("%")
    try:
        value = float(written.removesuffix("%"))
    except ValueError:
        value = nan
    if not 0 <= value < inf:
        negative = " that is not negative" if value < 0 else ""
        raise UsageError(
            f"{said or option} takes a number or a percentage{negative}, not {given!r}"
        )
    return (value / 100 if is_share else value), is_share
