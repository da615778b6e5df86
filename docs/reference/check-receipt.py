# Checks a check file, as receipts.md describes. Python 3.8 or newer, no packages: python3 check-receipt.py FILE [KEYS]

import base64, json, re, sys
from hashlib import sha256, sha512
from math import isqrt

class Differs(Exception):
    pass

def must(holds, word):
    if not holds:
        raise Differs(word)

# JSON with numbers as doubles, which is what they are to most programs.
def number(text):
    value = float(text)
    return int(value) if value.is_integer() else value

def no_number(text):
    raise ValueError(f"{text} is not a number in JSON")

# JSON that every reader understands alike: no name twice in an object, and nested no deeper than 64.
MARKS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}]', re.DOTALL)

def once(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a name is there twice")
    return dict(pairs)

def parse(text):
    depth = 0
    for mark in MARKS.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark[0], 0)
        if depth > 64:
            raise ValueError("nested too deep")
    kinds = dict(parse_int=number, parse_float=number, parse_constant=no_number, object_pairs_hook=once)
    return json.loads(text, **kinds)

# What may stand where. True is no number here, and 1.0 is the whole number 1.
def is_text(value):
    return type(value) is str

def is_whole(value):
    return type(value) is int and abs(value) < 2**53

def is_count(value):
    return is_whole(value) and value >= 0

def is_moment(value):
    return is_count(value) and value <= 8_640_000_000_000_000

def matching(pattern):
    return lambda value: is_text(value) and bool(re.fullmatch(pattern, value))

def one_of(*values):
    return lambda value: any(type(value) is type(one) and value == one for one in values)

def or_null(fits):
    return lambda value: value is None or fits(value)

def list_of(fits):
    return lambda value: type(value) is list and all(map(fits, value))

def fields(**inside):
    return lambda value: type(value) is dict and all(key in value and fits(value[key]) for key, fits in inside.items())

def exactly(**inside):
    return lambda value: fields(**inside)(value) and list(value) == list(inside)

is_hash = matching("[0-9a-f]{64}")
is_ascii = matching("[ -~]*")
is_name = matching("[ -~]{1,100}")

# Ed25519: points (x, y) with -x² + y² = 1 + D x² y², counted modulo P and kept as fractions (X : Y : Z).
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

def add(a, b):
    (x1, y1, z1), (x2, y2, z2) = a, b
    z, c, d = z1 * z2 % P, x1 * x2 % P, y1 * y2 % P
    e = D * c * d % P
    f, g = z * z - e, z * z + e
    return z * f * (x1 * y2 + y1 * x2) % P, z * g * (c + d) % P, f * g % P

def times(n, point):
    total = (0, 1, 1)
    while n:
        if n & 1:
            total = add(total, point)
        point, n = add(point, point), n >> 1
    return total

def point(data):
    y, sign = int.from_bytes(data, "little") & (2**255 - 1), data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    must(y < P and x * x % P == square and not (x == 0 and sign), "signature")
    return (x if x & 1 == sign else P - x), y, 1

def verify(key, signature, message):
    s = int.from_bytes(signature[32:], "little")
    must(s < L, "signature")
    k = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % L
    base = point(bytes([0x58] + [0x66] * 31))
    (x1, y1, z1), (x2, y2, z2) = times(s, base), add(point(signature[:32]), times(k, point(key)))
    must((x1 * z2 - x2 * z1) % P == 0 and (y1 * z2 - y2 * z1) % P == 0, "signature")

def to_base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")

def from_base64url(text):
    must(re.fullmatch("[A-Za-z0-9_-]*", text) and len(text) % 4 != 1, "signature_form")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    must(to_base64url(data) == text, "signature_form")
    return data

def json_of(part):
    try:
        return parse(from_base64url(part).decode("latin-1"))
    except (ValueError, RecursionError):
        raise Differs("signature_form")

def key_id(x):
    must(re.fullmatch("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", x), "key_unknown")
    return to_base64url(sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()).digest())

def has_own_id(key):
    try:
        must(key.get("kty", "OKP") == "OKP" and key.get("crv", "Ed25519") == "Ed25519", "key_unknown")
        return key["kid"] == key_id(key["x"])
    except Differs:
        return False

is_header = fields(alg=one_of("EdDSA"), typ=one_of("fairwick-receipts"))
ORDER_KINDS = ("accepted", "result", "amended", "sale")
is_root = fields(v=one_of(1), kind=one_of(*ORDER_KINDS, *("practice_" + kind for kind in ORDER_KINDS)), root=is_hash, count=is_count, made_ms=is_moment)

def root_signed(jws, keys):
    must(len(jws) <= 10_000 and jws.count(".") == 2, "signature_form")
    head, content, end = jws.split(".")
    header, root, signature = json_of(head), json_of(content), from_base64url(end)
    must(is_header(header) and "crit" not in header and len(signature) == 64, "signature_form")
    must(is_root(root) and root["count"] > 0, "signature_form")
    key = next((key for key in keys if key["kid"] == header.get("kid") and has_own_id(key)), None)
    must(key, "key_unknown")
    verify(from_base64url(key["x"]), signature, f"{head}.{content}".encode())
    retired = key["retired_ms"]
    must(key["from_ms"] <= root["made_ms"] and (retired is None or root["made_ms"] < retired), "key_retired")
    return root

def is_positive(value):
    return is_count(value) and value > 0

is_tick = exactly(q=is_count, price=is_positive, time_ms=lambda value: is_moment(value) and value > 0)
is_head = exactly(q=is_count, hash=is_hash)
TERMS = dict(
    trx=is_name, symbol=is_name, symbol_id=is_count, market=one_of("crypto", "us_stocks", "us_fx"),
    decimals=lambda value: is_count(value) and value <= 18, direction=one_of("buy", "sell"), payout_bp=is_count,
    rule=one_of(1), opened_ms=is_moment, expires_ms=is_moment, entry=is_tick, head=is_head, owner=is_hash,
)
END = dict(
    result=one_of("win", "lose", "draw"), void=one_of(None, "no_tick_before_expiry", "no_price_after_expiry"),
    max_tick_age_ms=lambda value: is_count(value) and 500 <= value <= 600_000, exit=or_null(is_tick), next=or_null(is_tick), watermark_ms=is_moment,
    decided_ms=is_moment, decided_head=is_head,
)

# Version 2: orders of rule 2 name their trade terms, their source and the provider's numbers of its trades.
def between(terms, after, new):
    at = list(terms).index(after) + 1
    items = list(terms.items())
    return dict(items[:at] + list(new.items()) + items[at:])

is_age = END["max_tick_age_ms"]
is_numbered = exactly(q=is_count, price=is_positive, time_ms=lambda value: is_moment(value) and value > 0, ref=or_null(is_count))
TERMS_2 = {**between(TERMS, "rule", dict(
    terms=exactly(n=is_positive, hash=is_hash), evidence=one_of("ids", "computed", "none"), max_tick_age_ms=is_age, source=is_name,
)), "rule": one_of(2), "entry": is_numbered}
END_2 = {**between(END, "next", dict(late=one_of(True, False))), "exit": or_null(is_numbered), "next": or_null(is_numbered)}
END_2["void"] = one_of(
    None, "no_tick_before_expiry", "no_price_after_expiry", "no_trade_before_expiry", "history_unavailable", "history_contradicts"
)
del END_2["max_tick_age_ms"]
is_trade = exactly(price=is_positive, time_ms=is_moment, ref=or_null(is_count))
AROUND = dict(last=or_null(is_trade), next=or_null(is_trade))
is_record = lambda value: exactly(**AROUND)(value) or exactly(entry=is_trade, **AROUND)(value)
AMENDED = dict(
    by=one_of("record"), amended=one_of("win", "draw"), record=is_record, paid=is_positive, amended_ms=is_moment,
)
SALE = dict(
    model=one_of(1), c=lambda value: is_count(value) and 70 <= value <= 110,
    fee_bp=lambda value: is_count(value) and 200 <= value <= 5000, sale_terms=exactly(n=is_positive, hash=is_hash),
    requested_ms=is_moment, requested_head=is_head, tick=is_numbered, received_ms=is_moment, movement=matching("[1-9][0-9]{0,39}"),
    win=is_count, same=is_count, decided_ms=is_moment, decided_head=is_head, sale_owner=is_hash,
)
are_facts = [
    exactly(v=one_of(1), kind=one_of("accepted", "practice_accepted"), **TERMS),
    exactly(v=one_of(1), kind=one_of("result", "practice_result"), **TERMS, **END),
    exactly(v=one_of(2), kind=one_of("accepted", "practice_accepted"), **TERMS_2),
    exactly(v=one_of(2), kind=one_of("result", "practice_result"), **TERMS_2, **END_2),
    exactly(v=one_of(2), kind=one_of("amended", "practice_amended"), **TERMS_2, **END_2, **AMENDED),
    exactly(v=one_of(2), kind=one_of("sale", "practice_sale"), **TERMS_2, **SALE),
]
is_owner = exactly(
    order=matching("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    stake=matching("[1-9][0-9]{0,18}"), currency=matching("[A-Z]{3,8}"),
)

is_cents = matching("0|[1-9][0-9]{0,18}")
is_amounts = exactly(
    order=matching("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), stake=is_cents, currency=matching("[A-Z]{3,8}"), least=is_cents,
    gross=is_cents, fee=is_cents, paid=is_cents,
)

def read_plain(text, fits, word):
    try:
        value = parse(text)
        must(fits(value) and json.dumps(value, separators=(",", ":")) == text, word)
    except (ValueError, RecursionError):
        raise Differs(word)
    return value

def facts_of(receipt, keys):
    text = receipt["facts"]
    facts = read_plain(text, lambda value: any(fits(value) for fits in are_facts), "form")
    signed = root_signed(receipt["signature"], keys)
    node, leaves = sha256(b"\0" + text.encode()).digest(), signed["count"]
    for step in receipt["path"]:
        other = bytes.fromhex(step["hash"])
        node = sha256(b"\1" + (other + node if step["side"] == "left" else node + other)).digest()
    for step in reversed(receipt["path"]):
        must(leaves > 1, "root")
        left = 1 << ((leaves - 1).bit_length() - 1)
        leaves = leaves - left if step["side"] == "left" else left
    must(node.hex() == signed["root"] and leaves == 1 and signed["kind"] == facts["kind"], "root")
    if "owner" in receipt:
        read_plain(receipt["owner"], is_owner, "owner")
        must(sha256(receipt["owner"].encode()).hexdigest() == facts["owner"], "owner")
    decided = facts.get("decided_ms", facts["opened_ms"])
    # The kinds of practice orders, which cost nobody money, begin with a word. The rest is the same.
    facts = dict(facts, kind=facts["kind"].removeprefix("practice_"), practice=facts["kind"].startswith("practice_"))
    must(facts["opened_ms"] < facts["expires_ms"] and signed["made_ms"] >= decided, "times")
    if facts["kind"] == "amended":
        must(facts["decided_ms"] <= facts["amended_ms"] <= signed["made_ms"], "times")
    if facts["kind"] == "result":
        must(decided >= facts["expires_ms"] and facts["watermark_ms"] <= decided + 5000, "times")
    return facts

N, SOURCE, SHA = "(0|[1-9][0-9]{0,15})", "[!-~]{1,80}", "[0-9a-f]{64}"
HEADER = re.compile(f"2 (live {SHA}|late {SHA} [!-~]{{1,80}})")
TICK = {1: re.compile(f"({N} ){{6}}[!-~]{{1,40}}"), 2: re.compile(f"[te] ({N} ){{6}}{SOURCE} (-|{N})")}
NOTE = re.compile(
    f"x {N} {SOURCE} {N} {N} (number|back|session|spike|absent|doubt|lost)|u {N} {SOURCE} (start|silent|late|back|refused)"
)

# The lines of a batch that have a place. In text 2 a letter begins each line; e is late evidence, which is no price.
def placed_lines(lines):
    if not lines[0].startswith("2 l"):
        must(all(map(TICK[1].fullmatch, lines)), "log")
        return [("t", line) for line in lines]
    must(HEADER.fullmatch(lines[0]), "log")
    kind, placed = "e" if lines[0].startswith("2 late") else "t", []
    for line in lines[1:]:
        words = line.split(" ")
        if words[0] in ("x", "u"):
            must(NOTE.fullmatch(line) and (words[0] == "x" or kind == "t"), "log")
            symbol, *refs = (int(words[at]) for at in ((1, 3, 4) if words[0] == "x" else (1,)))
            must(max(symbol, *refs, 0) < 2**53 and refs == sorted(refs), "log")
        else:
            must(words[0] == kind and TICK[2].fullmatch(line) and (words[8] == "-" or int(words[8]) < 2**53), "log")
            placed.append((kind, line[2:]))
    must(lines[-1].startswith(kind), "log")
    return placed

def read_line(line):
    numbers = [int(text) for text in line.split(" ")[:6]]
    must(all(one < 2**53 for one in numbers) and numbers[2] > 0 and numbers[4] > 0, "log")
    return numbers

# What no log takes: a tick that was received too long after its time or before it, and one that is older than one before it.
def check_possible(ticks):
    newest = {}
    for one in ticks:
        symbol, time = one["symbol"], one["tick"]["time_ms"]
        must(-5000 <= one["received"] - time <= 60_000 and time >= newest.get(symbol, 0), "log")
        newest[symbol] = time

def read_log(batches):
    ticks, before = [], None
    for batch in batches:
        first, last, previous, payload = (batch[key] for key in ("first_seq", "last_seq", "previous_hash", "payload"))
        must(first > 0 and is_hash(previous) and (first == 1) == (previous == "0" * 64), "log")
        must(before in (None, (first - 1, previous)), "log")
        must(sha256(bytes.fromhex(previous) + payload.encode("latin-1", "replace")).hexdigest() == batch["hash"], "log")
        lines = payload.split("\n")
        must(lines.pop() == "" and lines, "log")
        placed = placed_lines(lines)
        must(len(placed) == last - first + 1, "log")
        for place, (kind, line) in enumerate(placed, first):
            q, symbol, price, _, time, received = read_line(line)
            source, ref = (line.split(" ") + ["-"])[6:8]
            must(q == place, "log")
            if kind == "t":
                tick = {"q": q, "price": price, "time_ms": time}
                ref = None if ref == "-" else int(ref)
                ticks.append({"symbol": symbol, "received": received, "tick": tick, "source": source, "ref": ref})
        before = last, batch["hash"]
    must(before, "log")
    check_possible(ticks)
    return ticks

def ends_of(batches):
    return {batches[0]["first_seq"] - 1: batches[0]["previous_hash"], **{one["last_seq"]: one["hash"] for one in batches}}

def check_fork(entry_log, exit_log):
    one, other = ends_of(entry_log), ends_of(exit_log)
    shared = range(max(min(one), min(other)), min(max(one), max(other)) + 1)
    must(all(one.get(place) == end for place, end in other.items() if place in shared), "log")

# Facts of version 2 have the provider's number.
def same(one, fact):
    return fact in (one["tick"], {**one["tick"], "ref": one["ref"]})

def check_entry(facts, batches, ticks):
    must((batches[-1]["last_seq"], batches[-1]["hash"]) == (facts["head"]["q"], facts["head"]["hash"]), "head")
    own = [one for one in ticks if one["symbol"] == facts["symbol_id"]]
    must(own and same(own[-1], facts["entry"]) and facts.get("source", own[-1]["source"]) == own[-1]["source"], "entry")
    time = facts["entry"]["time_ms"]
    must(-5000 <= facts["opened_ms"] - time <= facts.get("max_tick_age_ms", 600_000), "entry")
    must(own[-1]["received"] - time <= 5000, "entry")

# The lines of the log around the head say when the order was opened. A lone price waits, and shows no time.
def check_clock(facts, before, ticks):
    newest = max([0] + [one["received"] for one in before])
    later = [one["received"] for one in ticks if one["tick"]["q"] > facts["head"]["q"] and one["received"] > newest]
    must(newest <= facts["opened_ms"] + 5000 and (not later or facts["opened_ms"] <= later[0] + 5000), "clock")

def check_end(facts, batches, ticks):
    head = facts["decided_head"]
    must((batches[-1]["last_seq"], batches[-1]["hash"]) == (head["q"], head["hash"]), "head")
    must(head["q"] >= facts["head"]["q"], "head")
    own = [one for one in ticks if one["symbol"] == facts["symbol_id"]]
    known = [one for one in own if one["tick"]["q"] > facts["head"]["q"]]
    must(all(one["received"] > facts["opened_ms"] - 1500 for one in known), "entry")
    if facts["v"] == 2 and facts["evidence"] == "ids":
        check_line(facts, *numbered(facts, batches))
    elif facts["v"] == 2 and facts["evidence"] == "computed" and facts["late"]:
        check_computed(facts, batches)
    else:
        is_computed = facts.get("evidence") == "computed"
        check_ticks(facts, ticks, [one for one in own if not is_computed or one["source"] == facts["source"]])

def check_ticks(facts, ticks, own):
    must(not facts.get("late") and ticks, "price")
    expiry, oldest = facts["expires_ms"], facts["expires_ms"] - facts["max_tick_age_ms"]
    first, exit, after = ticks[0], facts["exit"], facts["next"]
    if exit:
        must(first["tick"]["q"] <= exit["q"], "log_short")
    else:
        must(first["tick"]["q"] == 1 or first["received"] < oldest - 5000, "log_short")
    in_time = [one for one in own if one["tick"]["time_ms"] <= expiry]
    last = in_time[-1] if in_time else None
    later = next((one for one in own if one["tick"]["time_ms"] > expiry), None)
    must(exit is None or (last and same(last, exit)), "exit")
    must(after is None or (later and same(later, after)), "next")
    must(exit is None or last["received"] <= facts["decided_ms"], "times")
    must(after is None or later["received"] <= facts["decided_ms"], "times")
    passed = (later and later["received"] <= expiry + 60_000) or (
        facts["watermark_ms"] > expiry and facts["decided_ms"] <= expiry + 60_000
    )
    void = None
    if not passed:
        must(facts["decided_ms"] > expiry + 60_000, "price")
        void = "no_price_after_expiry"
    elif last is None or last["tick"]["time_ms"] < oldest:
        void = "no_tick_before_expiry"
    must(void == facts["void"] and (exit is None) == (void is not None), "price")
    check_result(facts, void)

# The trades of the source that the log accounts for: its prices by number, and the numbers that made no price for good.
def numbered(facts, batches):
    found, left_out = {}, []
    for words in words_of(facts, batches):
        if words[0] == "x" and words[5] not in ("doubt", "lost"):
            left_out.append((int(words[3]), int(words[4])))
        elif words[0] in "te" and words[8] != "-":
            found.setdefault(int(words[8]), words)
    prices = []
    for ref, words in sorted(found.items()):
        one = {"q": int(words[1]), "price": int(words[3]), "time_ms": int(words[5]), "ref": ref}
        if prices and one["time_ms"] < prices[-1][0]["time_ms"]:
            left_out.append((ref, ref))
        else:
            prices.append((one, words[0] == "e"))
    return prices, left_out

def words_of(facts, batches):
    symbol, source = str(facts["symbol_id"]), facts["source"]
    for batch in batches:
        lines = batch["payload"].split("\n")[:-1]
        for words in (line.split(" ") for line in lines[1:] if lines[0].startswith("2 l")):
            if (words[1:3] if words[0] == "x" else [words[2], words[-2]]) == [symbol, source]:
                yield words

# The last price before the first trade after the expiry, when every number in between is accounted for.
def decide(facts, prices, left_out, end):
    at = next((at for at, (one, _) in enumerate(prices) if one["time_ms"] > facts["expires_ms"]), len(prices))
    later = prices[at] if at < len(prices) else None
    end = later[0]["ref"] if later else end
    if at == 0 or end is None:
        return None
    expected = prices[at - 1][0]["ref"] + 1
    for start, last in sorted(left_out + [(one["ref"], one["ref"]) for one, _ in prices]):
        if expected >= end or start > expected:
            break
        expected = max(expected, last + 1)
    return None if expected < end else (prices[at - 1], later)

NO_HISTORY = ("history_unavailable", "history_contradicts")

def check_line(facts, prices, left_out):
    if facts["void"] in NO_HISTORY:
        for word in ("exit", "next"):
            must(facts[word] is None, word)
        must(not facts["late"], "price")
        must(facts["decided_ms"] >= facts["expires_ms"] + 60_000, "withheld")
        must(decide(facts, prices, left_out, None) is None, "withheld")
        return check_result(facts, facts["void"])
    newest = max([0] + [one["ref"] for one, _ in prices] + [last for _, last in left_out])
    decided = decide(facts, prices, left_out, None if facts["next"] else newest + 1)
    must(decided, "hole")
    (last, is_late), later = decided
    void = None if last["time_ms"] >= facts["expires_ms"] - facts["max_tick_age_ms"] else "no_trade_before_expiry"
    must(facts["exit"] == (None if void else last), "exit")
    must(facts["next"] == (later[0] if later else None), "next")
    late = (void is None and is_late) or (later is not None and later[1])
    must(void == facts["void"] and late == facts["late"], "price")
    check_result(facts, void)

# Prices of a computed source by time, those that were computed again for a missing stretch too.
def check_computed(facts, batches):
    found = [words for words in words_of(facts, batches) if words[0] in "te"]
    found.sort(key=lambda words: (int(words[5]), int(words[1])))
    in_time = [words for words in found if int(words[5]) <= facts["expires_ms"]]
    later = next((words for words in found if int(words[5]) > facts["expires_ms"]), None)
    is_young = in_time and int(in_time[-1][5]) >= facts["expires_ms"] - facts["max_tick_age_ms"]
    exit = in_time[-1] if is_young else None
    for word, words in (("exit", exit), ("next", later)):
        place = words and [int(words[1]), int(words[3]), int(words[5])]
        must(place == (facts[word] and [facts[word][name] for name in ("q", "price", "time_ms")]), word)
    must(exit and facts["void"] is None and (exit[0] == "e" or (later and later[0] == "e")), "price")
    check_result(facts, None)

def check_result(facts, void):
    change = 0 if void else facts["exit"]["price"] - facts["entry"]["price"]
    result = "draw" if change == 0 else "win" if (change > 0) == (facts["direction"] == "buy") else "lose"
    must(result == facts["result"], "result")

# The trade terms that were published: a chain from the first one on, of which each names the hash of the one before.
is_entry = exactly(
    v=one_of(1), kind=one_of("terms"), n=is_positive, what=is_text, of=is_text, value=is_text, announced_ms=is_count,
    applies_ms=is_count, previous=is_hash,
)

def check_terms(facts, evidence, sale=None):
    entries, previous, hashes = [], "0" * 64, []
    for text in evidence.get("terms", []):
        plain = text.replace('"before":true,', "", 1)
        entry = read_plain(plain, is_entry, "terms_unknown")
        must(entry["n"] == len(entries) + 1 and entry["previous"] == previous, "terms_unknown")
        previous = sha256(b"\0" + text.encode("latin-1", "replace")).hexdigest()
        hashes.append(previous)
        entries.append(entry)
    def in_force(what, of, at=facts["opened_ms"]):
        own = [one for one in entries if (one["what"], one["of"]) == (what, of) and one["applies_ms"] <= at]
        must(own, "terms_unknown")
        return own[-1]
    length, terms = (facts["expires_ms"] - facts["opened_ms"]) / 1000, facts["terms"]
    payout = in_force("payout", str(number(str(length))))
    must(payout["n"] == terms["n"] and hashes[terms["n"] - 1] == terms["hash"], "terms_unknown")
    must(payout["value"] == str(facts["payout_bp"]), "terms_unknown")
    must(in_force("duration", payout["of"])["value"] == "open", "terms_unknown")
    must(in_force("max_tick_age", facts["symbol"])["value"] == str(facts["max_tick_age_ms"]), "terms_unknown")
    must(in_force("rule", "all")["value"] == str(facts["rule"]), "terms_unknown")
    notices = [one["value"] for one in entries if (one["what"], one["of"]) == ("notice", "all") and one["applies_ms"] <= facts["opened_ms"]]
    is_demo = notices and notices[-1].isdigit() and int(notices[-1]) < 3_600_000
    if facts.get("void") in NO_HISTORY and not is_demo:
        must(facts["decided_ms"] >= facts["expires_ms"] + 86_400_000, "withheld")
    if sale:
        named = in_force("sale", sale["symbol"], sale["requested_ms"])
        must({"n": named["n"], "hash": hashes[named["n"] - 1]} == sale["sale_terms"], "terms_unknown")
        must(named["value"] == f'm1c{sale["c"]}f{sale["fee_bp"]}', "terms_unknown")
        for one in entries:
            if one["what"] == "sale_pause" and one["of"] in (sale["symbol"], sale["market"]):
                ends = one["applies_ms"] + int(one["value"])
                must(one["applies_ms"] > sale["expires_ms"] or ends < sale["requested_ms"] - 1_200_000, "sale_limits")
    holds = [one for one in evidence["entry_log"] if one["first_seq"] <= facts["entry"]["q"] <= one["last_seq"]]
    named = re.match(f"2 (?:live|late) ({SHA})", holds[0]["payload"]) if holds else None
    texts = evidence.get("sources", [])
    must(all(named and sha256(b"\0" + one.encode()).hexdigest() == named[1] for one in texts), "terms_unknown")
    symbols = parse(texts[0])["symbols"] if texts else []
    sources = [one for own in symbols if own["id"] == facts["symbol_id"] for one in own["sources"]]
    classes = [one["class"] for one in sources if one["provider"] == facts["source"]] or ["none"]
    must(classes[0] == facts["evidence"], "terms_unknown")

# What the public record of the source says about a result, and what was paid in addition.
def check_amended(facts, amended):
    must(amended["kind"] == "amended" and facts["kind"] == "result" and facts["v"] == 2, "terms")
    must(all(amended[term] == facts[term] for term in facts if term != "kind"), "terms")
    last, later, expiry = amended["record"]["last"], amended["record"]["next"], facts["expires_ms"]
    must(facts["evidence"] != "none", "amended")
    must((not last or last["time_ms"] <= expiry) and (not later or later["time_ms"] > expiry), "amended")
    must(not last or not later or (last["ref"] or 0) <= (later["ref"] or 0), "amended")
    is_young = last and last["time_ms"] >= expiry - facts["max_tick_age_ms"]
    entry, signed = amended["record"].get("entry"), facts["entry"]
    if entry:
        must(facts["evidence"] == "ids" and None not in (entry["ref"], signed["ref"]), "amended")
        must(entry["ref"] < signed["ref"] or entry["ref"] == signed["ref"] and entry["price"] != signed["price"], "amended")
    change = last["price"] - (entry or signed)["price"] if is_young else 0
    result = "draw" if change == 0 else "win" if (change > 0) == (facts["direction"] == "buy") else "lose"
    share = {"win": 10_000 + facts["payout_bp"], "draw": 10_000, "lose": 0}
    must(amended["amended"] == result and amended["paid"] == share[result] - share[facts["result"]], "amended")

# Sales: whole numbers, of which each division drops the rest. E is one.
E = 10**9

def cut(a, b):
    return a // b if a >= 0 else -(-a // b)

# Student's t distribution with 4 degrees of freedom.
def share_below(x):
    if x < 0:
        return E - share_below(-x)
    base = E + x * x // (4 * E)
    factor = E - x * x // E * E // (12 * base)
    return min(E, E // 2 + 375 * x // 1000 * E // isqrt(base * E) * factor // E)

def chances(sale):
    price, twice = sale["tick"]["price"], 2 * sale["entry"]["price"]
    left = sale["expires_ms"] - sale["tick"]["time_ms"]
    deviation = isqrt(int(sale["movement"]) * left // 15_000) * sale["c"] // 100
    must(deviation > 0, "sale_value")
    below, not_above = (share_below(cut((one - 2 * price) * E * E, 2 * price * deviation)) for one in (twice - 1, twice + 1))
    not_above = max(below, not_above)
    return E - not_above if sale["direction"] == "buy" else below, not_above - below

# The mean squared move over 15 s at every 5 s of the 20 minutes before the last of these ticks, where a sale is allowed.
def movement_before(ticks):
    times = [one["tick"]["time_ms"] for one in ticks]
    def price_at(time, oldest):
        at = max((at for at in range(len(times)) if times[at] <= time), default=None)
        must(at is not None and times[at] >= oldest, "sale_limits")
        return ticks[at]["tick"]["price"]
    time, newest = times[-1], (times[-1] - 1) // 5000
    marks = [price_at(mark * 5000, mark * 5000 - 60_000) for mark in range(newest - 240, newest + 1)]
    move = lambda a, b: cut((b - a) * E, a) ** 2
    moves = [move(a, b) for a, b in zip(marks, marks[3:])]
    mean, recent = sum(moves) // 238, sum(moves[-58:]) // 58
    must(sum(1 for one in times if one > time - 600_000) >= 60, "sale_limits")
    must(mean > 0 and mean <= 4 * recent and recent <= 4 * mean, "sale_limits")
    must(move(price_at(time - 60_000, 0), ticks[-1]["tick"]["price"]) <= 25 * mean, "sale_limits")
    for at in range(len(marks)):
        if (newest - 240 + at) * 5000 > time - 60_000:
            must(move(marks[at - 12], marks[at]) <= 25 * mean, "sale_limits")
    return mean

# The log accounts for every numbered trade between the tick before and the one of the sale.
def check_numbers(sale, batches, before):
    expected, known = before["ref"], []
    for words in words_of(sale, batches):
        if words[0] == "x" and words[5] not in ("doubt", "lost"):
            known.append((int(words[3]), int(words[4])))
        elif words[0] == "t" and words[8] != "-":
            known.append((int(words[8]), int(words[8])))
        if words[0] == "t" and int(words[1]) == sale["tick"]["q"]:
            break
    for start, last in sorted(known):
        if start <= expected + 1:
            expected = max(expected, last)
    must(expected >= sale["tick"]["ref"], "sale_tick")

def half_even(value, by):
    whole, rest = divmod(value, by)
    return whole + (2 * rest > by or (2 * rest == by and whole % 2 == 1))

def check_amounts(sale, receipt):
    if "sale_owner" not in receipt:
        return
    amounts = read_plain(receipt["sale_owner"], is_amounts, "owner")
    must(sha256(receipt["sale_owner"].encode()).hexdigest() == sale["sale_owner"], "owner")
    stake, win, same = int(amounts["stake"]), sale["win"], sale["same"]
    gross = half_even(stake * ((10_000 + sale["payout_bp"]) * win + 10_000 * same), 10_000 * E)
    fee = half_even(stake * sale["fee_bp"], 10_000)
    must([amounts["gross"], amounts["fee"], amounts["paid"]] == [str(gross), str(fee), str(gross - fee)], "sale_amount")
    must(gross - fee >= int(amounts["least"]), "sale_amount")

# Selling back: the first tick of the source that is more than a second later than the request, at the value of the order there.
def check_sale(facts, receipt, keys, evidence):
    sale, batches = facts_of(receipt, keys), evidence["exit_log"]
    must(sale["kind"] == "sale" and facts["kind"] == "accepted", "terms")
    must(all(sale[term] == facts[term] for term in facts if term != "kind"), "terms")
    asked, tick, expiry = sale["requested_ms"], sale["tick"], sale["expires_ms"]
    must(facts["opened_ms"] < asked and sale["received_ms"] <= sale["decided_ms"], "times")
    ticks, ends = read_log(batches), [{"q": one["last_seq"], "hash": one["hash"]} for one in batches]
    must(sale["decided_head"] == ends[-1] and sale["requested_head"] in ends, "head")
    must(expiry - facts["opened_ms"] >= 300_000 and asked >= facts["opened_ms"] + 10_000, "sale_limits")
    must(30_000 <= expiry - asked <= 3_600_000, "sale_limits")
    own = [one for one in ticks if one["symbol"] == facts["symbol_id"] and one["source"] == facts["source"]]
    at = next((at for at, one in enumerate(own) if one["tick"]["time_ms"] > asked + 1000), None)
    must(at and same(own[at], tick) and own[at]["received"] == sale["received_ms"], "sale_tick")
    must(tick["time_ms"] <= asked + 1000 + min(sale["max_tick_age_ms"], 15_000), "sale_tick")
    must(sale["received_ms"] - tick["time_ms"] <= 5000 and tick["q"] > sale["requested_head"]["q"], "sale_tick")
    if sale["evidence"] == "ids":
        check_numbers(sale, batches, own[at - 1])
    must(str(movement_before(own[: at + 1])) == sale["movement"], "sale_value")
    must(chances(sale) == (sale["win"], sale["same"]), "sale_value")
    must(5 * E <= 100 * sale["win"] <= 95 * E, "sale_limits")
    check_amounts(sale, receipt)
    check_terms(facts, evidence, sale)

def check(file, keys):
    given = [kind for kind in ("accepted", "result") if file[kind]]
    found = [facts_of(file[kind], keys) for kind in given]
    must(given == [facts["kind"] for facts in found], "terms")
    shared = TERMS_2 if found[0]["v"] == 2 else TERMS
    must(found[0]["practice"] == found[-1]["practice"], "terms")
    must(found[0]["v"] == found[-1]["v"] and all(found[0][term] == found[-1][term] for term in shared), "terms")
    facts, entry_log, exit_log = found[-1], file["evidence"]["entry_log"], file["evidence"]["exit_log"]
    before, ticks = read_log(entry_log), []
    if facts["kind"] == "result":
        ticks = read_log(exit_log)
        check_fork(entry_log, exit_log)
        newest = before[-1]["tick"]["q"] if before else 0
        check_possible(before + [one for one in ticks if one["tick"]["q"] > newest])
    check_entry(facts, entry_log, before)
    check_clock(facts, before, ticks)
    if facts["kind"] == "result":
        check_end(facts, exit_log, ticks)
    if file.get("amended"):
        check_amended(facts, facts_of(file["amended"], keys))
    if file.get("sale"):
        check_sale(facts, file["sale"], keys, file["evidence"])
    if facts["v"] == 2:
        check_terms(facts, file["evidence"])
    return facts

# A file that is not written as below cannot be checked: nothing was found out about an order.
is_step = fields(side=one_of("left", "right"), hash=is_hash)
is_receipt_alone = fields(
    format=one_of("fairwick-receipt"), version=one_of(1), facts=is_ascii, signature=is_text, path=list_of(is_step)
)
is_batch = fields(first_seq=is_whole, last_seq=is_whole, previous_hash=is_text, hash=is_text, payload=is_text)
is_key = fields(kid=is_text, x=is_text, from_ms=is_whole, retired_ms=or_null(is_whole))
is_file = fields(
    format=one_of("fairwick-check"), version=one_of(1, 2),
    accepted=or_null(lambda value: is_receipt(value)), result=or_null(lambda value: is_receipt(value)),
    amended=or_null(lambda value: is_receipt(value)), sale=or_null(lambda value: is_receipt(value)),
    evidence=fields(entry_log=list_of(is_batch), exit_log=list_of(is_batch)),
)

def is_receipt(value):
    return is_receipt_alone(value) and len(value["path"]) <= 30 and ("owner" not in value or is_ascii(value["owner"]))

def read(name):
    with open(name, encoding="utf-8", errors="replace") as file:
        return parse(file.read())

def keys_in(value):
    if type(value) is dict:
        value = value["data"].get("keys") if type(value.get("data")) is dict else value.get("keys")
    if not list_of(is_key)(value):
        raise ValueError("there are no keys as they are published")
    return value

# Version 1 has no published texts, and version 2 has both lists.
def are_texts(file):
    evidence = file["evidence"]
    if file["version"] == 1:
        evidence.pop("terms", None)
        evidence.pop("sources", None)
        return True
    return fields(terms=list_of(is_text), sources=list_of(is_text))(evidence)

def read_file(name):
    file = read(name)
    if type(file) is dict:
        file.setdefault("amended", None)
        file.setdefault("sale", None)
    if not is_file(file) or not are_texts(file) or not (file["accepted"] or file["result"]):
        raise ValueError("this is not a check file")
    return file, keys_in(file.get("keys"))

try:
    if len(sys.argv) not in (2, 3):
        raise ValueError("usage: check.py FILE [KEYS]")
    file, keys = read_file(sys.argv[1])
    facts = check(file, keys_in(read(sys.argv[2])) if len(sys.argv) > 2 else keys)
    print("matches", facts["trx"], facts.get("result", "accepted"), *(["practice"] if facts["practice"] else []))
except Differs as word:
    print("does not match:", word)
    sys.exit(1)
except (OSError, ValueError, RecursionError) as error:
    print("could not be checked:", error)
    sys.exit(2)
