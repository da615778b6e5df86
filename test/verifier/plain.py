"""Values as the pages of docs/reference describe them: JSON, whole numbers, hashes, printable text."""

import json
import re
from hashlib import sha256

MAX_WHOLE = 2**53
MAX_DEPTH = 64
MAX_INSTANT_MS = 8_640_000_000_000_000
STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


class Refused(Exception):
    """The content was read and is not true. Carries the name of the verdict."""


class Unreadable(Exception):
    """The content is not of the form that can be checked."""


def require(condition, verdict):
    if not condition:
        raise Refused(verdict)


def _number(text):
    value = float(text)
    return int(value) if value.is_integer() else value


def _refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


def _object(pairs):
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a name occurs twice")
    return value


def read_json(text):
    depth = 0
    for token in STRING_OR_BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            raise ValueError("nested too deep")
    return json.loads(
        text,
        parse_int=_number,
        parse_float=_number,
        parse_constant=_refuse_constant,
        object_pairs_hook=_object,
    )


def canonical(value):
    return json.dumps(value, separators=(",", ":"))


def is_integer(value):
    return type(value) is int and -MAX_WHOLE < value < MAX_WHOLE


def is_count(value):
    return is_integer(value) and value >= 0


def is_positive(value):
    return is_integer(value) and value > 0


def is_instant(value):
    return is_count(value) and value <= MAX_INSTANT_MS


def is_text(value):
    return type(value) is str


def is_ascii(value):
    return is_text(value) and all(" " <= sign <= "~" for sign in value)


def is_hash(value):
    return is_text(value) and re.fullmatch("[0-9a-f]{64}", value) is not None


def hash_hex(data):
    return sha256(data).hexdigest()


def leaf_hash(text):
    """RFC 6962, section 2.1: the hash of a leaf."""
    return sha256(b"\x00" + text.encode()).digest()


def node_hash(left, right):
    return sha256(b"\x01" + left + right).digest()
