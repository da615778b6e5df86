"""Receipts of money (docs/reference/receipts.md): the steps of one deposit, withdrawal or adjustment."""

from plain import hash_hex, is_ascii, is_hash, is_instant, is_text, require
from receipt import exactly, pattern, read_canonical, read_signature, require_root

COURSES = {
    "deposit": (("asked", "credited"), ("asked", "rejected")),
    **dict.fromkeys(("withdrawal", "leave"), (
        ("asked", "paid", "returned"),
        ("asked", "approved", "returned"),
        ("asked", "failed"),
        ("asked", "rejected"),
        ("asked", "cancelled"),
    )),
    "correction": (("posted",), ("announced", "posted"), ("announced", "rejected")),
}
OWNER = exactly(
    {
        "record": pattern("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
        "amount": pattern("-?[1-9][0-9]{0,18}"),
        "currency": pattern("[A-Z0-9]{2,10}"),
        "charges": pattern("0|[1-9][0-9]{0,18}"),
        "to": is_text,
        "reason": is_text,
    }
)


def _is_step(facts):
    shape = exactly(
        {
            "v": lambda value: type(value) is int and value == 2,
            "kind": lambda value: value == "money",
            "trx": lambda value: is_ascii(value) and 1 <= len(value) <= 100,
            "of": lambda value: is_text(value) and value in COURSES,
            "step": is_text,
            "at_ms": is_instant,
            "owner": is_hash,
        }
    )
    return shape(facts) and any(facts["step"] in course for course in COURSES[facts["of"]])


def _is_part(steps, course):
    places = [course.index(step) if step in course else -1 for step in steps]
    return places[0] >= 0 and all(one < other for one, other in zip(places, places[1:]))


def require_money(receipts, keys):
    """Checks the receipts of one record. Returns their facts."""
    found, owners = [], []
    for receipt in receipts:
        facts = read_canonical(receipt["facts"], "form")
        require(_is_step(facts), "form")
        signed = read_signature(receipt["signature"], keys, ("money",))
        require_root(receipt, facts, signed)
        if "owner" in receipt:
            owner = read_canonical(receipt["owner"], "owner")
            require(OWNER(owner) and hash_hex(receipt["owner"].encode()) == facts["owner"], "owner")
            owners.append({key: value for key, value in owner.items() if key != "reason"})
        require(facts["at_ms"] <= signed["made_ms"], "times")
        found.append(facts)
    require(all((facts["of"], facts["trx"]) == (found[0]["of"], found[0]["trx"]) for facts in found), "terms")
    require(all(owner == owners[0] for owner in owners), "terms")
    require(all(one["at_ms"] <= other["at_ms"] for one, other in zip(found, found[1:])), "times")
    steps = [facts["step"] for facts in found]
    require(any(_is_part(steps, course) for course in COURSES[found[0]["of"]]), "steps")
    return found
