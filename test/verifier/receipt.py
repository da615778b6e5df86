"""One receipt (docs/reference/receipts.md): its facts, its signature and its owner's part."""

import base64
import re
from hashlib import sha256

from ed25519 import is_signed
from plain import (
    canonical,
    is_ascii,
    is_count,
    is_hash,
    is_instant,
    is_positive,
    is_text,
    hash_hex,
    leaf_hash,
    node_hash,
    read_json,
    require,
)

MAX_SIGNATURE = 10_000
MAX_CLOCK_SKEW_MS = 5_000


def _of(*values):
    return lambda value: type(value) in map(type, values) and value in values


def _nullable(fits):
    return lambda value: value is None or fits(value)


def _name(value):
    return is_ascii(value) and 1 <= len(value) <= 100


def pattern(expression):
    """Tells if a value is text of this form."""
    return lambda value: is_text(value) and re.fullmatch(expression, value) is not None


def exactly(shape):
    """Tells if a value is an object with exactly these keys, in this order."""

    def fits(value):
        return type(value) is dict and list(value) == list(shape) and all(shape[key](value[key]) for key in shape)

    return fits


def _age(value):
    return is_count(value) and 500 <= value <= 600_000


def _tick(version):
    shape = {"q": is_count, "price": is_positive, "time_ms": lambda value: is_instant(value) and value > 0}
    if version == 2:
        shape["ref"] = _nullable(is_count)
    return exactly(shape)


HEAD = exactly({"q": is_count, "hash": is_hash})
VOIDS = {
    1: (None, "no_tick_before_expiry", "no_price_after_expiry"),
    2: (
        None,
        "no_tick_before_expiry",
        "no_price_after_expiry",
        "no_trade_before_expiry",
        "history_unavailable",
        "history_contradicts",
    ),
}


def _accepted(version):
    shape = {
        "v": _of(version),
        "kind": _of("accepted", "result"),
        "trx": _name,
        "symbol": _name,
        "symbol_id": is_count,
        "market": _of("crypto", "us_stocks", "us_fx"),
        "decimals": lambda value: is_count(value) and value <= 18,
        "direction": _of("buy", "sell"),
        "payout_bp": is_count,
        "rule": _of(version),
    }
    if version == 2:
        shape["terms"] = exactly({"n": is_positive, "hash": is_hash})
        shape["evidence"] = _of("ids", "computed", "none")
        shape["max_tick_age_ms"] = _age
        shape["source"] = _name
    shape.update(opened_ms=is_instant, expires_ms=is_instant, entry=_tick(version), head=HEAD, owner=is_hash)
    return shape


def _result(version):
    shape = dict(_accepted(version), result=_of("win", "lose", "draw"), void=_of(*VOIDS[version]))
    if version == 1:
        shape["max_tick_age_ms"] = _age
    shape.update(exit=_nullable(_tick(version)), next=_nullable(_tick(version)))
    if version == 2:
        shape["late"] = _of(True, False)
    shape.update(watermark_ms=is_instant, decided_ms=is_instant, decided_head=HEAD)
    return shape


def _record(trade):
    """The trades of a record; `entry` only where the record contradicts the entry of the order."""
    ends = {"last": _nullable(trade), "next": _nullable(trade)}
    both, without = exactly({"entry": trade, **ends}), exactly(ends)
    return lambda value: both(value) or without(value)


def _amended():
    trade = exactly({"price": is_positive, "time_ms": is_instant, "ref": _nullable(is_count)})
    return dict(
        _result(2),
        kind=_of("amended"),
        by=_of("record"),
        amended=_of("win", "draw"),
        record=_record(trade),
        paid=is_positive,
        amended_ms=is_instant,
    )


def _sale():
    return dict(
        _accepted(2),
        kind=_of("sale"),
        model=_of(1),
        c=lambda value: is_count(value) and 70 <= value <= 110,
        fee_bp=lambda value: is_count(value) and 200 <= value <= 5_000,
        sale_terms=exactly({"n": is_positive, "hash": is_hash}),
        requested_ms=is_instant,
        requested_head=HEAD,
        tick=_tick(2),
        received_ms=is_instant,
        movement=pattern("[1-9][0-9]{0,39}"),
        win=is_count,
        same=is_count,
        decided_ms=is_instant,
        decided_head=HEAD,
        sale_owner=is_hash,
    )


SHAPES = {
    (version, kind): shape(version)
    for version in (1, 2)
    for kind, shape in (("accepted", _accepted), ("result", _result))
}
SHAPES[2, "amended"] = _amended()
SHAPES[2, "sale"] = _sale()
OWNER = exactly(
    {
        "order": pattern("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
        "stake": pattern("[1-9][0-9]{0,18}"),
        "currency": pattern("[A-Z]{3,8}"),
    }
)


AMOUNT = pattern("(0|[1-9][0-9]{0,18})")
SALE_OWNER = exactly(
    {
        "order": pattern("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
        "stake": AMOUNT,
        "currency": pattern("[A-Z]{3,8}"),
        "least": AMOUNT,
        "gross": AMOUNT,
        "fee": AMOUNT,
        "paid": AMOUNT,
    }
)


def read_canonical(text, verdict):
    """Reads JSON that is in its one form."""
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        require(False, verdict)
    require(canonical(value) == text, verdict)
    return value


def _read_facts(text):
    facts = read_canonical(text, "form")
    require(type(facts) is dict, "form")
    version, kind = facts.get("v"), facts.get("kind")
    require(type(version) is int and is_text(kind) and (version, kind) in SHAPES, "form")
    require(exactly(SHAPES[version, kind])(facts), "form")
    return facts


def _base64url(text):
    require(re.fullmatch("[A-Za-z0-9_-]*", text) and len(text) % 4 != 1, "signature_form")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    require(base64.urlsafe_b64encode(data).decode().rstrip("=") == text, "signature_form")
    return data


def _jws_json(part):
    try:
        value = read_json(_base64url(part).decode("latin-1"))
    except (ValueError, RecursionError):
        value = None
    require(type(value) is dict, "signature_form")
    return value


def _thumbprint(x):
    text = '{"crv":"Ed25519","kty":"OKP","x":"%s"}' % x
    return base64.urlsafe_b64encode(sha256(text.encode()).digest()).decode().rstrip("=")


def _is_own_id(key):
    kind = key.get("kty", "OKP"), key.get("crv", "Ed25519")
    is_point = re.fullmatch("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", key["x"])
    return kind == ("OKP", "Ed25519") and is_point is not None and key["kid"] == _thumbprint(key["x"])


def read_signature(jws, keys, kinds=("accepted", "result", "amended", "sale")):
    """Returns what was signed, when a published key signed it within its time."""
    require(len(jws) <= MAX_SIGNATURE and jws.count(".") == 2, "signature_form")
    head, content, end = jws.split(".")
    header, signed, signature = _jws_json(head), _jws_json(content), _base64url(end)
    require(header.get("alg") == "EdDSA" and header.get("typ") == "fairwick-receipts", "signature_form")
    require("crit" not in header and len(signature) == 64, "signature_form")
    require(_of(1)(signed.get("v")) and signed.get("kind") in kinds, "signature_form")
    require(is_hash(signed.get("root")) and is_positive(signed.get("count")), "signature_form")
    require(is_instant(signed.get("made_ms")), "signature_form")
    key = next((key for key in keys if key["kid"] == header.get("kid") and _is_own_id(key)), None)
    require(key is not None, "key_unknown")
    require(is_signed(_base64url(key["x"]), signature, f"{head}.{content}".encode()), "signature")
    retired = key["retired_ms"]
    require(key["from_ms"] <= signed["made_ms"], "key_retired")
    require(retired is None or signed["made_ms"] < retired, "key_retired")
    return signed


def _sides(index, count):
    """The sides of the other hashes, from the leaf up, for one leaf of a tree of `count` leaves."""
    sides = []
    while count > 1:
        left = 1 << (count - 1).bit_length() - 1
        sides.append("right" if index < left else "left")
        index, count = (index, left) if index < left else (index - left, count - left)
    return sides[::-1]


def fits_tree(sides, count):
    """Tells if some leaf of a tree of `count` leaves has these sides."""
    index, remaining = 0, count
    for side in reversed(sides):
        if remaining < 2:
            return False
        left = 1 << (remaining - 1).bit_length() - 1
        index, remaining = (index, left) if side == "right" else (index + left, remaining - left)
    return remaining == 1 and _sides(index, count) == sides


def require_root(receipt, facts, signed):
    """Refuses facts and path that do not lead to the signed root."""
    node = leaf_hash(receipt["facts"])
    for step in receipt["path"]:
        other = bytes.fromhex(step["hash"])
        node = node_hash(other, node) if step["side"] == "left" else node_hash(node, other)
    require(node.hex() == signed["root"] and signed["kind"] == facts["kind"], "root")
    require(fits_tree([step["side"] for step in receipt["path"]], signed["count"]), "root")


def read_receipt(receipt, keys):
    """Returns the facts and the signed root of a receipt that a published key signed."""
    facts = _read_facts(receipt["facts"])
    signed = read_signature(receipt["signature"], keys)
    require_root(receipt, facts, signed)
    if "owner" in receipt:
        require(OWNER(read_canonical(receipt["owner"], "owner")), "owner")
        require(hash_hex(receipt["owner"].encode()) == facts["owner"], "owner")
    require(facts["opened_ms"] < facts["expires_ms"], "times")
    if facts["kind"] == "amended":
        require(facts["decided_ms"] <= facts["amended_ms"] <= signed["made_ms"], "times")
    elif facts["kind"] == "sale":
        require(facts["requested_ms"] <= facts["decided_ms"] <= signed["made_ms"], "times")
    elif facts["kind"] == "result":
        require(facts["expires_ms"] <= facts["decided_ms"] <= signed["made_ms"], "times")
        require(facts["watermark_ms"] <= facts["decided_ms"] + MAX_CLOCK_SKEW_MS, "times")
    require(facts["opened_ms"] <= signed["made_ms"], "times")
    return facts, signed


def shared_facts(facts):
    """What the two receipts of one order have in common."""
    return {key: facts[key] for key in _accepted(facts["v"]) if key != "kind"}
