# Checks a proof of liabilities, as liabilities.md describes. Python 3.8 or newer, no packages: python3 check-liabilities.py FILE

import json, re, sys
from datetime import datetime, timedelta
from hashlib import sha256

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

def matching(pattern):
    return lambda value: type(value) is str and bool(re.fullmatch(pattern, value))

is_text, is_hash = matching("(?s:.*)"), matching("[0-9a-f]{64}")
is_id = matching("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
is_time = matching("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z")

def is_number(value):
    return type(value) in (int, float)

def is_whole(value):
    return type(value) is int and abs(value) < 2**53

def is_amount(text):
    return bool(re.fullmatch("0|[1-9][0-9]{0,18}", text)) and int(text) < 2**63

def list_of(fits):
    return lambda value: type(value) is list and all(map(fits, value))

def fields(**inside):
    return lambda value: type(value) is dict and all(key in value and fits(value[key]) for key, fits in inside.items())

# A file that is not written as this cannot be checked.
is_record = fields(
    number=is_number, day=is_text, taken_at=is_text, currency=is_text, leaves=is_number,
    total=is_text, root=is_text, previous=is_text, head=is_text,
)
is_account = fields(id=is_text, salt=is_text, cash=is_text, staked=is_text, withdrawing=is_text)
is_sibling = fields(hash=is_text, sum=is_text)
is_part = fields(amount=is_text, index=is_number, siblings=list_of(is_sibling))
is_proof = fields(
    format=matching("fairwick-liabilities-proof"), version=lambda value: type(value) is int and value == 1,
    record=is_record, account=is_account, parts=list_of(is_part),
)

def u64(number):
    return int(number).to_bytes(8, "big")

def hashed(name, *pieces):
    return sha256(f"fairwick liabilities {name} 1".encode() + b"".join(pieces)).digest()

def check_form(account, parts):
    siblings = [sibling for part in parts for sibling in part["siblings"]]
    amounts = [account[name] for name in ("cash", "staked", "withdrawing")] + [part["amount"] for part in parts]
    must(is_id(account["id"]) and is_hash(account["salt"]) and len(parts) == 4, "form")
    must(all(map(is_amount, amounts)) and all(is_whole(part["index"]) for part in parts), "form")
    must(all(is_hash(one["hash"]) and is_amount(one["sum"]) for one in siblings), "form")

def check_part(p, part, leaf, record):
    index, leaves, total = part["index"], record["leaves"], int(part["amount"])
    must(len(part["siblings"]) <= 30 and 2 ** len(part["siblings"]) == leaves, "tree")
    must(p * leaves <= 4 * index < (p + 1) * leaves, "tree")
    node = leaf
    for height, sibling in enumerate(part["siblings"]):
        own, other = node + u64(total), bytes.fromhex(sibling["hash"]) + u64(sibling["sum"])
        node = hashed("node", *((other, own) if index >> height & 1 else (own, other)))
        total += int(sibling["sum"])
        must(total < 2**63, "tree")
    must(node.hex() == record["root"] and str(total) == record["total"], "tree")

def check_record(record):
    count, leaves, previous, moment = (record[name] for name in ("number", "leaves", "previous", "taken_at"))
    must(is_whole(count) and count > 0 and leaves in [2**height for height in range(2, 31)], "record")
    must(is_amount(record["total"]) and all(is_hash(record[name]) for name in ("root", "previous", "head")), "record")
    must((previous == "0" * 64) == (count == 1), "record")
    must(re.fullmatch("[A-Z]{3,8}", record["currency"]) and is_time(moment) and record["day"] == moment[:10], "record")
    try:
        taken = datetime.strptime(moment, "%Y-%m-%dT%H:%M:%S.%fZ") - datetime(1970, 1, 1)
    except ValueError:
        raise Differs("record")
    ms = taken // timedelta(milliseconds=1)
    must(ms >= 0, "record")
    numbers = [u64(one) for one in (count, ms // 86_400_000, ms, leaves, record["total"])]
    ends = bytes.fromhex(record["root"]) + record["currency"].encode()
    must(hashed("day", bytes.fromhex(previous), *numbers, ends).hex() == record["head"], "record")

def check(proof):
    record, account, parts = proof["record"], proof["account"], proof["parts"]
    check_form(account, parts)
    owed = [account[name] for name in ("cash", "staked", "withdrawing")]
    must(sum(int(part["amount"]) for part in parts) == sum(map(int, owed)), "amounts")
    salt, user = bytes.fromhex(account["salt"]), bytes.fromhex(account["id"].replace("-", ""))
    for p, part in enumerate(parts):
        numbers = [u64(number) for number in (*owed, p, part["amount"])]
        check_part(p, part, hashed("leaf", salt, user, *numbers), record)
    check_record(record)
    return record

try:
    if len(sys.argv) != 2:
        raise ValueError("usage: check.py FILE")
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        proof = parse(file.read())
    if not is_proof(proof):
        raise ValueError("this is not a proof of what is owed")
    record = check(proof)
    print("matches", record["total"], record["root"])
except Differs as word:
    print("does not match:", word)
    sys.exit(1)
except (OSError, ValueError, RecursionError) as error:
    print("could not be checked:", error)
    sys.exit(2)
