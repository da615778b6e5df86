"""An order that was sold back (docs/reference/rules.md, "Selling back", and receipts.md, "Sales")."""

from bisect import bisect_right
from math import isqrt

from plain import hash_hex, require
from receipt import read_canonical, SALE_OWNER
from rules import is_tick, SourceLine
from terms import in_force, of_subject

UNIT = 10**9
DELAY_MS = 1_000
MARK_MS = 5_000
MARKS = 241
MAX_MARK_AGE_MS = 60_000
AFTER_PAUSE_MS = 1_200_000


def _towards_zero(dividend, divisor):
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend >= 0) == (divisor > 0) else -quotient


def _half_even(dividend, divisor):
    whole, rest = divmod(dividend, divisor)
    return whole + (1 if 2 * rest > divisor or (2 * rest == divisor and whole % 2) else 0)


def _squared_move(before, after):
    return _towards_zero((after - before) * UNIT, before) ** 2


def _movement(ticks):
    """The mean squared move over 15 s, when the prices before the last tick allow a sale."""
    times, now = [tick.time_ms for tick in ticks], ticks[-1].time_ms

    def price_at(time_ms, max_age_ms=None):
        at = bisect_right(times, time_ms) - 1
        require(at >= 0 and (max_age_ms is None or time_ms - times[at] <= max_age_ms), "sale_limits")
        return ticks[at].price

    newest = (now - 1) // MARK_MS * MARK_MS
    marks = [price_at(newest - back * MARK_MS, MAX_MARK_AGE_MS) for back in reversed(range(MARKS))]
    squares = [_squared_move(marks[at], marks[at + 3]) for at in range(MARKS - 3)]
    movement, recent = sum(squares) // len(squares), sum(squares[-58:]) // 58
    require(len(times) - bisect_right(times, now - 600_000) >= 60, "sale_limits")
    require(movement > 0 and movement <= 4 * recent and recent <= 4 * movement, "sale_limits")
    require(_squared_move(price_at(now - 60_000), ticks[-1].price) <= 25 * movement, "sale_limits")
    for back in range(MARKS):
        if newest - back * MARK_MS <= now - 60_000:
            break
        require(_squared_move(marks[-1 - back - 12], marks[-1 - back]) <= 25 * movement, "sale_limits")
    return movement


def _distribution(x):
    """Student's t with 4 degrees of freedom, in whole billionths."""
    if x < 0:
        return UNIT - _distribution(-x)
    base = UNIT + x * x // (4 * UNIT)
    width = isqrt(base * UNIT)
    bend = UNIT - (x * x // UNIT) * UNIT // (12 * base)
    return min(UNIT, UNIT // 2 + (375 * x // 1000) * UNIT // width * bend // UNIT)


def _chances(facts):
    """The chances to win and of a draw."""
    price, entry = facts["tick"]["price"], facts["entry"]["price"]
    left = facts["expires_ms"] - facts["tick"]["time_ms"]
    deviation = isqrt(int(facts["movement"]) * left // 15_000) * facts["c"] // 100
    require(deviation > 0, "sale_value")

    def below(twice):
        return _distribution(_towards_zero((twice - 2 * price) * UNIT * UNIT, 2 * price * deviation))

    under = below(2 * entry - 1)
    not_over = max(under, below(2 * entry + 1))
    return (UNIT - not_over if facts["direction"] == "buy" else under), not_over - under


def _require_tick(facts, piece, own):
    """The first tick of the source that is more than a second later than the request."""
    asked, named = facts["requested_ms"], facts["tick"]
    at = next((at for at, tick in enumerate(own) if tick.time_ms > asked + DELAY_MS), None)
    require(at and is_tick(own[at], named) and own[at].received_ms == facts["received_ms"], "sale_tick")
    require(named["time_ms"] <= asked + DELAY_MS + min(facts["max_tick_age_ms"], 15_000), "sale_tick")
    require(facts["received_ms"] - named["time_ms"] <= 5_000, "sale_tick")
    require(named["q"] > facts["requested_head"]["q"], "sale_tick")
    if facts["evidence"] == "ids":
        before = own[at - 1].ref
        require(before is not None and named["ref"] is not None, "sale_tick")
        require(SourceLine(facts, piece).covers(before, named["ref"]), "sale_tick")
    return own[: at + 1]


def _require_amounts(facts, receipt):
    if "sale_owner" not in receipt:
        return
    amounts = read_canonical(receipt["sale_owner"], "owner")
    require(SALE_OWNER(amounts) and hash_hex(receipt["sale_owner"].encode()) == facts["sale_owner"], "owner")
    stake = int(amounts["stake"])
    gross = _half_even(stake * ((10_000 + facts["payout_bp"]) * facts["win"] + 10_000 * facts["same"]), 10_000 * UNIT)
    fee = _half_even(stake * facts["fee_bp"], 10_000)
    named = [int(amounts[name]) for name in ("gross", "fee", "paid")]
    require(named == [gross, fee, gross - fee] and gross - fee >= int(amounts["least"]), "sale_amount")


def require_sale(facts, receipt, piece, terms):
    """Refuses a sale that does not follow from the log and the published terms."""
    opened, asked, expiry = facts["opened_ms"], facts["requested_ms"], facts["expires_ms"]
    require(opened < asked and facts["received_ms"] <= facts["decided_ms"], "times")
    head = facts["decided_head"]
    require((piece.last_seq, piece.last_hash) == (head["q"], head["hash"]), "head")
    require(piece.ends.get(facts["requested_head"]["q"]) == facts["requested_head"]["hash"], "head")
    require(expiry - opened >= 300_000 and asked - opened >= 10_000, "sale_limits")
    require(30_000 <= expiry - asked <= 3_600_000, "sale_limits")
    own = [
        line
        for line in piece.lines
        if not line.is_late and (line.symbol, line.source) == (facts["symbol_id"], facts["source"])
    ]
    ticks = _require_tick(facts, piece, own)
    require(_movement(ticks) == int(facts["movement"]), "sale_value")
    require(_chances(facts) == (facts["win"], facts["same"]), "sale_value")
    require(5 * UNIT <= 100 * facts["win"] <= 95 * UNIT, "sale_limits")
    _require_amounts(facts, receipt)
    entry = in_force(terms, "sale", facts["symbol"], asked)
    require({"n": entry.n, "hash": entry.hash} == facts["sale_terms"], "terms_unknown")
    require(entry.value == f'm1c{facts["c"]}f{facts["fee_bp"]}', "terms_unknown")
    for of in (facts["symbol"], facts["market"]):
        for pause in of_subject(terms, "sale_pause", of):
            ends = pause.applies_ms + int(pause.value)
            require(pause.applies_ms > expiry or ends < asked - AFTER_PAUSE_MS, "sale_limits")
