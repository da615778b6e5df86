"""Trade terms and the class of a source, as they were when an order opened (docs/reference/rules.md)."""

import re
from collections import namedtuple
from functools import lru_cache

from plain import (
    canonical,
    is_count,
    is_hash,
    is_positive,
    is_text,
    leaf_hash,
    read_json,
    require,
)
from ticklog import NO_HASH

VERDICT = "terms_unknown"
PARTS = "duration payout min_stake max_stake ceiling max_tick_age symbol notice rule sale sale_pause cap".split()
SHAPE = {
    "v": lambda value: type(value) is int and value == 1,
    "kind": lambda value: value == "terms",
    "n": is_positive,
    "what": lambda value: value in PARTS,
    "of": lambda value: is_text(value) and re.fullmatch("[A-Za-z0-9_]{1,20}", value) is not None,
    "value": lambda value: is_text(value) and re.fullmatch("[a-z0-9]{1,20}", value) is not None,
    "announced_ms": is_count,
    "applies_ms": is_count,
    "previous": is_hash,
}

Entry = namedtuple("Entry", "n hash value applies_ms")


def _read_entry(text):
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        value = None
    require(type(value) is dict and canonical(value) == text, VERDICT)
    keys = list(SHAPE)
    # Entries that copy older terms say so.
    if value.get("before") is True:
        keys.insert(-1, "before")
    require(list(value) == keys, VERDICT)
    own = {key: value[key] for key in SHAPE}
    require(list(own) == list(SHAPE) and all(SHAPE[key](own[key]) for key in SHAPE), VERDICT)
    return own


class History:
    """The entries by part and subject, from the first one on, each with the hash of the one before."""

    def __init__(self, texts):
        self.by_subject, previous = {}, NO_HASH
        for n, text in enumerate(texts, 1):
            entry = _read_entry(text)
            require((entry["n"], entry["previous"]) == (n, previous), VERDICT)
            previous = leaf_hash(text).hex()
            one = Entry(n, previous, entry["value"], entry["applies_ms"])
            self.by_subject.setdefault((entry["what"], entry["of"]), []).append(one)

    def in_force(self, what, of, at_ms):
        applied = [one for one in self.by_subject.get((what, of), []) if one.applies_ms <= at_ms]
        require(applied, VERDICT)
        return applied[-1]

    def of_subject(self, what, of):
        return self.by_subject.get((what, of), [])


@lru_cache(maxsize=256)
def _history(texts):
    return History(texts)


def in_force(texts, what, of, at_ms):
    return _history(tuple(texts)).in_force(what, of, at_ms)


def of_subject(texts, what, of):
    return _history(tuple(texts)).of_subject(what, of)


def require_terms(facts, texts):
    history, opened = _history(tuple(texts)), facts["opened_ms"]
    seconds, rest = divmod(facts["expires_ms"] - opened, 1000)
    require(rest == 0, VERDICT)
    duration = str(seconds)
    payout = history.in_force("payout", duration, opened)
    require((payout.n, payout.hash) == (facts["terms"]["n"], facts["terms"]["hash"]), VERDICT)
    require(payout.value == str(facts["payout_bp"]), VERDICT)
    for what, of, value in (
        ("duration", duration, "open"),
        ("max_tick_age", facts["symbol"], str(facts["max_tick_age_ms"])),
        ("rule", "all", str(facts["rule"])),
    ):
        require(history.in_force(what, of, opened).value == value, VERDICT)


def require_wait(facts, texts):
    """A live site asks a provider's history for a day. Only a demo has a shorter notice than an hour."""
    notices = [one.value for one in of_subject(texts, "notice", "all") if one.applies_ms <= facts["opened_ms"]]
    is_demo = bool(notices) and notices[-1].isdigit() and int(notices[-1]) < 3_600_000
    wait_ms = 60_000 if is_demo else 86_400_000
    require(facts["decided_ms"] >= facts["expires_ms"] + wait_ms, "withheld")


def _sources_hash(batch):
    words = batch["payload"].split("\n", 1)[0].split(" ")
    return words[2] if words[0] == "2" and words[1][:1] == "l" else None


def require_class(facts, entry_log, texts):
    """The class of the source must be the one of the configuration that the batch of the entry names."""
    place = facts["entry"]["q"]
    batch = next((one for one in entry_log if one["first_seq"] <= place <= one["last_seq"]), None)
    named = batch and _sources_hash(batch)
    classes = []
    for text in texts:
        require(named == leaf_hash(text).hex(), VERDICT)
        try:
            symbols = read_json(text)["symbols"]
            own = [one for one in symbols if one["id"] == facts["symbol_id"]]
            classes += [
                source["class"] for one in own for source in one["sources"] if source["provider"] == facts["source"]
            ]
        except (ValueError, RecursionError, KeyError, TypeError):
            require(False, VERDICT)
    require((classes or ["none"])[0] == facts["evidence"], VERDICT)
