"""The tick log (docs/reference/tick-log.md): pieces of it, read line by line."""

import re
from collections import namedtuple

from plain import MAX_WHOLE, hash_hex, is_hash, require

NO_HASH = "0" * 64
MAX_AHEAD_MS = 5_000
MAX_DELAY_MS = 60_000
REASONS = ("number", "back", "session", "spike", "absent", "doubt", "lost")
SWITCHES = ("start", "silent", "late", "back", "refused")

# One t or e line. Text 1 has no ref.
Line = namedtuple("Line", "is_late q symbol price time_ms received_ms source ref")
# One x line: numbers that made no price.
Omission = namedtuple("Omission", "symbol source first last why")
# ends maps a place to the hash of the log at this place.
Piece = namedtuple("Piece", "lines omissions ends first_seq first_hash last_seq last_hash")


NUMBER = "(0|[1-9][0-9]{0,15})"
NUMBERS = " ".join([NUMBER] * 6)
HASH = "[0-9a-f]{64}"
TEXT_1 = re.compile(f"{NUMBERS} ([!-~]{{1,40}})")
TEXT_2 = re.compile(f"([te]) {NUMBERS} ([!-~]{{1,80}}) (-|{NUMBER})")
HEADER = re.compile(f"2 (live {HASH}|late {HASH} [!-~]{{1,80}})")
OMISSION = re.compile(f"x {NUMBER} ([!-~]{{1,80}}) {NUMBER} {NUMBER} ({'|'.join(REASONS)})")
SWITCH = re.compile(f"u {NUMBER} [!-~]{{1,80}} ({'|'.join(SWITCHES)})")


def _whole(*texts):
    numbers = [int(text) for text in texts]
    require(max(numbers) < MAX_WHOLE, "log")
    return numbers


def _price(is_late, numbers, source, ref):
    q, symbol, price, _volume, time_ms, received_ms = _whole(*numbers)
    require(price > 0 and time_ms > 0, "log")
    return Line(is_late, q, symbol, price, time_ms, received_ms, source, None if ref == "-" else _whole(ref)[0])


def _match(pattern, row):
    found = pattern.fullmatch(row)
    require(found, "log")
    return found.groups()


def _read_text_2(rows):
    _match(HEADER, rows[0])
    is_late = rows[0].startswith("2 late")
    mark, lines, omissions = "e" if is_late else "t", [], []
    for row in rows[1:]:
        if row.startswith("x"):
            symbol, source, first, last, why = _match(OMISSION, row)
            one = Omission(*_whole(symbol), source, *_whole(first, last), why)
            require(one.first <= one.last, "log")
            omissions.append(one)
        elif row.startswith("u"):
            require(not is_late, "log")
            _whole(_match(SWITCH, row)[0])
        else:
            kind, *numbers, source, ref, _ = _match(TEXT_2, row)
            require(kind == mark, "log")
            lines.append(_price(is_late, numbers, source, ref))
    require(rows[-1].startswith(mark), "log")
    return lines, omissions


def _read_payload(payload):
    require(payload.endswith("\n"), "log")
    rows = payload[:-1].split("\n")
    # In text 1 the second word of a line is a number.
    if payload.startswith("2 l"):
        return _read_text_2(rows)
    found = [_match(TEXT_1, row) for row in rows]
    return [_price(False, numbers, source, "-") for *numbers, source in found], []


def require_possible(ticks):
    """Refuses ticks that no log takes: too late, ahead of the clock, or running backwards within a symbol."""
    newest = {}
    for tick in ticks:
        require(-MAX_AHEAD_MS <= tick.received_ms - tick.time_ms <= MAX_DELAY_MS, "log")
        require(tick.time_ms >= newest.get(tick.symbol, 0), "log")
        newest[tick.symbol] = tick.time_ms


def read_piece(batches):
    """Reads batches that follow each other, and checks their hashes and lines."""
    require(batches, "log")
    first = batches[0]
    lines, omissions, ends = [], [], {first["first_seq"] - 1: first["previous_hash"]}
    place, end = first["first_seq"] - 1, first["previous_hash"]
    for batch in batches:
        require(batch["first_seq"] == place + 1 and batch["first_seq"] > 0, "log")
        require(batch["previous_hash"] == end and is_hash(end), "log")
        require((end == NO_HASH) == (place == 0), "log")
        data = batch["payload"].encode("utf-8", "replace")
        require(hash_hex(bytes.fromhex(end) + data) == batch["hash"], "log")
        own_lines, own_omissions = _read_payload(batch["payload"])
        require([line.q for line in own_lines] == list(range(place + 1, batch["last_seq"] + 1)), "log")
        lines += own_lines
        omissions += own_omissions
        place, end = batch["last_seq"], batch["hash"]
        ends[place] = end
    ticks = [line for line in lines if not line.is_late]
    require_possible(ticks)
    return Piece(lines, omissions, ends, first["first_seq"], first["previous_hash"], place, end)


def require_one_log(one, other):
    """Refuses two pieces that contradict each other where both cover the log."""
    low = max(min(one.ends), min(other.ends))
    high = min(max(one.ends), max(other.ends))
    for place in set(one.ends) | set(other.ends):
        if low <= place <= high:
            require(one.ends.get(place) == other.ends.get(place), "log")
    known = [line for line in one.lines if not line.is_late]
    newest = known[-1].q if known else 0
    require_possible(known + [line for line in other.lines if not line.is_late and line.q > newest])
