"""How a result follows from the log: rule 1, and the line of a source of rule 2 (docs/reference/receipts.md)."""

from collections import namedtuple

from plain import require

PASSED_WITHIN_MS = 60_000
NEVER_RECEIVED_WITHIN_MS = 45_000
MAX_CLOCK_SKEW_MS = 5_000
HISTORY_WAIT_MS = 60_000
NO_HISTORY = ("history_unavailable", "history_contradicts")
NOT_FINAL = ("doubt", "lost")

Decision = namedtuple("Decision", "exit next late void")


def is_tick(line, named):
    """Tells if a line of the log is the tick that a receipt names."""
    if line is None or named is None:
        return line is None and named is None
    own = {"q": line.q, "price": line.price, "time_ms": line.time_ms}
    if "ref" in named:
        own["ref"] = line.ref
    return own == named


def require_result(facts, entry_price):
    change = 0 if facts["exit"] is None else facts["exit"]["price"] - entry_price
    if facts["direction"] == "sell":
        change = -change
    require(facts["result"] == ("win" if change > 0 else "lose" if change < 0 else "draw"), "result")


def require_decision(facts, piece):
    is_late = facts.get("late", False)
    evidence = facts.get("evidence", "none")
    if evidence == "ids":
        _require_line(facts, piece)
    elif evidence == "computed" and is_late:
        _require_computed(facts, piece)
    else:
        require(not is_late, "price")
        _require_rule_1(facts, piece)
    require_result(facts, facts["entry"]["price"])


def _share(result, payout):
    return {"win": 10_000 + payout, "draw": 10_000, "lose": 0}[result]


def require_amended(facts, amended):
    """An amended result: what the order would have paid by the record of its source, less what it paid."""
    require(list(amended)[: len(facts)] == list(facts), "terms")
    require(all(amended[name] == facts[name] for name in facts if name != "kind"), "terms")
    last, later = amended["record"]["last"], amended["record"]["next"]
    expiry = facts["expires_ms"]
    require(facts["evidence"] != "none", "amended")
    require(last is None or last["time_ms"] <= expiry, "amended")
    require(later is None or later["time_ms"] > expiry, "amended")
    if last is not None and later is not None:
        require((last["ref"] or 0) <= (later["ref"] or 0), "amended")
    entry = amended["record"].get("entry", facts["entry"])
    if entry is not facts["entry"]:
        require(facts["evidence"] == "ids" and None not in (entry["ref"], facts["entry"]["ref"]), "amended")
        is_same = entry["ref"] == facts["entry"]["ref"]
        require(entry["ref"] <= facts["entry"]["ref"], "amended")
        require(not is_same or entry["price"] != facts["entry"]["price"], "amended")
    is_young = last is not None and last["time_ms"] >= expiry - facts["max_tick_age_ms"]
    change = last["price"] - entry["price"] if is_young else 0
    if facts["direction"] == "sell":
        change = -change
    require(amended["amended"] == ("win" if change > 0 else "lose" if change < 0 else "draw"), "amended")
    payout = facts["payout_bp"]
    require(amended["paid"] == _share(amended["amended"], payout) - _share(facts["result"], payout), "amended")


def _may_decide(facts, tick):
    """Prices of another source never decide an order of a computed one."""
    is_own = facts.get("evidence") != "computed" or tick.source == facts["source"]
    return tick.symbol == facts["symbol_id"] and is_own


def _require_rule_1(facts, piece):
    ticks = [line for line in piece.lines if not line.is_late]
    require(ticks, "log_short")
    own = [tick for tick in ticks if _may_decide(facts, tick)]
    expiry, decided = facts["expires_ms"], facts["decided_ms"]
    oldest = expiry - facts["max_tick_age_ms"]
    if facts["exit"] is None:
        require(ticks[0].q == 1 or ticks[0].received_ms < oldest - MAX_CLOCK_SKEW_MS, "log_short")
    else:
        require(ticks[0].q <= facts["exit"]["q"], "log_short")
    last = next((tick for tick in reversed(own) if tick.time_ms <= expiry), None)
    later = next((tick for tick in own if tick.time_ms > expiry), None)
    for name, tick in (("exit", last), ("next", later)):
        if facts[name] is not None:
            require(is_tick(tick, facts[name]), name)
            require(tick.received_ms <= decided, "times")
    passed = (later is not None and later.received_ms <= expiry + PASSED_WITHIN_MS) or (
        facts["watermark_ms"] > expiry and decided <= expiry + PASSED_WITHIN_MS
    )
    if not passed:
        require(decided > expiry + PASSED_WITHIN_MS, "price")
        void = "no_price_after_expiry"
    else:
        void = None if last is not None and last.time_ms >= oldest else "no_tick_before_expiry"
    require(facts["void"] == void and (facts["exit"] is None) == (void is not None), "price")


class SourceLine:
    """The trades of one source by number, as a piece of the log has them."""

    def __init__(self, facts, piece):
        symbol, source = facts["symbol_id"], facts["source"]
        by_ref = {}
        for line in piece.lines:
            if (line.symbol, line.source) == (symbol, source) and line.ref is not None:
                by_ref.setdefault(line.ref, line)
        own = [one for one in piece.omissions if (one.symbol, one.source) == (symbol, source)]
        self.spans = [(one.first, one.last) for one in own if one.why not in NOT_FINAL]
        self.spans += [(ref, ref) for ref in by_ref]
        self.prices, newest_ms = [], 0
        for _, line in sorted(by_ref.items()):
            # A trade that is earlier than one before it is no price.
            if line.time_ms >= newest_ms:
                self.prices.append(line)
                newest_ms = line.time_ms

    def covers(self, first, last):
        """Tells if every number from `first` to `last` is a price, or left out for good."""
        missing = first
        for low, high in sorted(self.spans):
            if low <= missing <= high:
                missing = high + 1
        return missing > last

    def newest(self):
        return max((high for _, high in self.spans), default=0)

    def decide(self, expires_ms, max_age_ms, has_next):
        """Returns what the line decides, or None when numbers are missing."""
        later = next((line for line in self.prices if line.time_ms > expires_ms), None)
        before = [line for line in self.prices if line.time_ms <= expires_ms]
        if not before or (has_next and later is None):
            return None
        last = before[-1]
        if not self.covers(last.ref, self.newest() if later is None else later.ref):
            return None
        is_young = last.time_ms >= expires_ms - max_age_ms
        late = (is_young and last.is_late) or (later is not None and later.is_late)
        return Decision(last if is_young else None, later, late, None if is_young else "no_trade_before_expiry")


def _require_line(facts, piece):
    line = SourceLine(facts, piece)
    if facts["void"] in NO_HISTORY:
        require(facts["exit"] is None, "exit")
        require(facts["next"] is None, "next")
        require(not facts["late"], "price")
        require(facts["decided_ms"] >= facts["expires_ms"] + HISTORY_WAIT_MS, "withheld")
        require(line.decide(facts["expires_ms"], facts["max_tick_age_ms"], True) is None, "withheld")
        return
    decision = line.decide(facts["expires_ms"], facts["max_tick_age_ms"], facts["next"] is not None)
    require(decision is not None, "hole")
    require(is_tick(decision.exit, facts["exit"]), "exit")
    require(is_tick(decision.next, facts["next"]), "next")
    require((decision.void, decision.late) == (facts["void"], facts["late"]), "price")


def require_continuation(facts, ticks):
    """Refuses ticks of the symbol from after the decision that should have decided it."""
    expiry, void = facts["expires_ms"], facts["void"]
    if facts.get("evidence") != "ids":
        for tick in (tick for tick in ticks if _may_decide(facts, tick)):
            if void == "no_price_after_expiry":
                require(tick.received_ms > expiry + NEVER_RECEIVED_WITHIN_MS, "price")
            else:
                require(tick.time_ms > expiry, "price")
        return
    if facts["next"] is not None or void in NO_HISTORY:
        return
    # Without a next trade, later trades of the source have later numbers and times.
    last_ref = facts["exit"]["ref"] if facts["exit"] else -1
    oldest = 0 if facts["exit"] else expiry - facts["max_tick_age_ms"]
    for tick in ticks:
        if tick.source == facts["source"] and tick.ref is not None and tick.ref > last_ref:
            require(not oldest <= tick.time_ms <= expiry, "line")


def _require_computed(facts, piece):
    """A simulated or replayed source: any moment can be computed again, and late lines are prices by their time."""
    own = [one for one in piece.lines if (one.symbol, one.source) == (facts["symbol_id"], facts["source"])]
    own.sort(key=lambda line: (line.time_ms, line.q))
    expiry = facts["expires_ms"]
    last = next((line for line in reversed(own) if line.time_ms <= expiry), None)
    later = next((line for line in own if line.time_ms > expiry), None)
    if last is not None and last.time_ms < expiry - facts["max_tick_age_ms"]:
        last = None
    require(is_tick(last, facts["exit"]), "exit")
    require(is_tick(later, facts["next"]), "next")
    require(last is not None and (last.is_late or (later is not None and later.is_late)), "price")
    require(facts["void"] is None, "price")
