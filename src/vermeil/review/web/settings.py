"""What the owner of a review sets, on a page: labels, guidelines, people, shares, learning.

Everything here takes the curator who asks, and is kept for good in the acts of the review. Whether
somebody may is for the server to know.
"""

from typing import Any

import msgspec

from vermeil.errors import UnknownNameError, UsageError
from vermeil.review.desk import labels_of
from vermeil.review.learning.memory import (
    LearningChoice,
    account_of,
    choose_learning,
    learning_choice,
)
from vermeil.review.learning.worth import UNITS
from vermeil.review.questions import one_import
from vermeil.review.store import Store
from vermeil.review.team.archive import annotators, note_act, set_annotator_archived
from vermeil.review.team.assignment import give_out, team_progress, without_work
from vermeil.review.team.guidance import (
    COLOURS,
    TeamLabel,
    checked_labels,
    set_guidelines,
    set_labels,
    team_labels,
)
from vermeil.review.web.accounts import ROLES, accounts, remove_account, set_password, set_role

MOST_ACTS = 50
"""Acts that are shown, the last ones."""

MOST_EVERY = 100_000


class SentLabels(msgspec.Struct, forbid_unknown_fields=True):
    """The labels that may be given; none lets any."""

    labels: tuple[TeamLabel, ...]


class SentGuidelines(msgspec.Struct, forbid_unknown_fields=True):
    """Guidelines in Markdown."""

    text: str


class SentPerson(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody's role, with a password where there is a new one; no role takes the account away."""

    name: str
    role: str = ""
    password: str = ""


class SentShares(msgspec.Struct, forbid_unknown_fields=True):
    """How the documents that nobody has are given out."""

    overlap: int
    share: float


class SentAnnotator(msgspec.Struct, forbid_unknown_fields=True):
    """An annotator that is put aside, or restored."""

    annotator: str
    is_archived: bool


def settings_of(store: Store) -> dict[str, Any]:
    """Collect what the page of settings shows."""
    trusts = {each.annotator: each.now for each in account_of(store).trusts}
    with store.reading() as connection:
        acts = connection.execute(
            "SELECT time, curator, action, subject FROM acts ORDER BY number DESC LIMIT ?",
            (MOST_ACTS,),
        ).fetchall()
    return {
        "labels": team_labels(store),
        "used": labels_of(store),
        "colours": COLOURS,
        "guidelines": store.setting("guidelines"),
        "people": [{"name": name, "role": role} for name, role in accounts(store).items()],
        "roles": ROLES,
        "progress": team_progress(store),
        "learning": learning_choice(store),
        "annotators": [
            *({"name": name, "trust": trusts.get(name)} for name in annotators(store)),
            *(
                {"name": name, "trust": None, "is_archived": True}
                for name in sorted(store.archived_annotators())
            ),
        ],
        "acts": [
            {"time": time, "curator": curator, "action": action, "subject": subject}
            for time, curator, action, subject in acts
        ],
    }


def change_labels(store: Store, curator: str, sent: SentLabels) -> dict[str, Any]:
    """Let only these labels be given."""
    agreed = checked_labels(sent.labels)
    set_labels(store, agreed)
    _note(store, curator, "set labels", ", ".join(each.label for each in agreed) or "any")
    return {}


def change_guidelines(store: Store, curator: str, sent: SentGuidelines) -> dict[str, Any]:
    """Show these guidelines beside the texts."""
    set_guidelines(store, sent.text)
    _note(store, curator, "set guidelines", f"{len(sent.text):,} characters")
    return {}


def change_person(store: Store, curator: str, sent: SentPerson) -> dict[str, Any]:
    """Make an account, change its role or password, or take it away."""
    if sent.password and not sent.role:
        raise UsageError(f"say which role {sent.name} has")
    if not sent.role:
        remove_account(store, sent.name)
        without_work(store, sent.name)
        _note(store, curator, "remove account", sent.name)
    elif sent.password:
        role = set_password(store, sent.name, sent.password, sent.role)
        _note(store, curator, f"account as {role}", sent.name)
    else:
        set_role(store, sent.name, sent.role)
        _note(store, curator, f"role {sent.role}", sent.name)
    return {}


def change_shares(store: Store, curator: str, sent: SentShares) -> dict[str, Any]:
    """Share out the documents that nobody has."""
    loads = give_out(store, overlap=sent.overlap, share=sent.share)
    _note(store, curator, "give out", f"{sent.share:g} to {sent.overlap} each")
    return {"loads": loads}


def change_learning(store: Store, curator: str, sent: LearningChoice) -> dict[str, Any]:
    """Let the review learn, or not; without, documents keep the order they came in with."""
    if sent.unit not in UNITS:
        raise UnknownNameError("unit", sent.unit, UNITS)
    if not 0 <= sent.every <= MOST_EVERY:
        raise UsageError(f"a recogniser is trained after 0 to {MOST_EVERY:,} documents")
    choose_learning(store, sent)
    said = f"{sent.unit}, every {sent.every}" if sent.is_on else "off"
    _note(store, curator, "set learning", said)
    return {}


def change_annotator(store: Store, curator: str, sent: SentAnnotator) -> dict[str, Any]:
    """Put an annotator aside, or restore it."""
    with one_import():
        set_annotator_archived(store, curator, sent.annotator, sent.is_archived)
    return {}


def _note(store: Store, curator: str, action: str, subject: str) -> None:
    with store.writing() as connection:
        note_act(connection, curator, action, subject)


CHANGES: dict[str, tuple[Any, Any]] = {
    "labels": (SentLabels, change_labels),
    "guidelines": (SentGuidelines, change_guidelines),
    "people": (SentPerson, change_person),
    "shares": (SentShares, change_shares),
    "learning": (LearningChoice, change_learning),
    "annotators": (SentAnnotator, change_annotator),
}
"""What can be set: what is sent for it, and what is done with that."""
