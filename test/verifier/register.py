"""The register: C2SP signed notes and checkpoints, and the Merkle proofs of RFC 6962 (docs/reference/register.md)."""

import base64
import binascii
import re
from collections import namedtuple
from hashlib import sha256

from ed25519 import is_signed
from plain import MAX_WHOLE, canonical, is_ascii, is_count, is_hash, node_hash, read_json, require

LOG_KEY = 1
COSIGNATURE = 4
NO_LEAVES = sha256(b"").digest()

Key = namedtuple("Key", "name id type point")
Note = namedtuple("Note", "body origin size root signatures")


def _base64(text, verdict):
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        require(False, verdict)
    require(base64.b64encode(data).decode() == text, verdict)
    return data


def key_id(name, kind, point):
    return sha256(name.encode() + b"\n" + bytes([kind]) + point).digest()[:4]


def read_key(text):
    """Reads a verifier key, name+id+base64 of type and key (c2sp.org/signed-note)."""
    parts = text.split("+", 2)
    require(len(parts) == 3 and parts[0] and re.fullmatch("[0-9a-f]{8}", parts[1]), "key_unknown")
    data = _base64(parts[2], "key_unknown")
    require(len(data) == 33 and data[0] in (LOG_KEY, COSIGNATURE), "key_unknown")
    require(key_id(parts[0], data[0], data[1:]).hex() == parts[1], "key_unknown")
    return Key(parts[0], bytes.fromhex(parts[1]), data[0], data[1:])


def read_note(text):
    """Reads a checkpoint: origin, size, root, an empty line and signature lines."""
    body, divider, lines = text.rpartition("\n\n")
    require(divider and lines.endswith("\n"), "note_form")
    rows = body.split("\n")
    require(len(rows) == 3 and rows[0] and all(map(is_ascii, rows)), "note_form")
    require(re.fullmatch("0|[1-9][0-9]*", rows[1]) and int(rows[1]) < MAX_WHOLE, "note_form")
    root = _base64(rows[2], "note_form")
    require(len(root) == 32, "note_form")
    signatures = []
    for line in lines[:-1].split("\n"):
        found = re.fullmatch("\u2014 ([^ +\\s]+) ([A-Za-z0-9+/=]+)", line)
        require(found, "note_form")
        data = _base64(found[2], "note_form")
        require(len(data) > 4, "note_form")
        signatures.append((found[1], data[:4], data[4:]))
    return Note(body + "\n", rows[0], int(rows[1]), root, signatures)


def signed_by(note, keys):
    """Returns the keys that signed a note, a witness with its time. A known key with a false signature spoils it."""
    found = []
    for name, own_id, signature in note.signatures:
        key = next((key for key in keys if (key.name, key.id) == (name, own_id)), None)
        if key is None:
            continue
        if key.type == LOG_KEY:
            message, seconds, end = note.body, None, signature
        else:
            require(len(signature) == 72, "note_signature")
            seconds, end = int.from_bytes(signature[:8], "big"), signature[8:]
            message = f"cosignature/v1\ntime {seconds}\n{note.body}"
        require(is_signed(key.point, end, message.encode()), "note_signature")
        found.append((key, seconds))
    return found


def open_note(text, log_keys):
    """Returns a checkpoint that a key of the log signed."""
    note = read_note(text)
    signed = signed_by(note, [key for key in log_keys if key.type == LOG_KEY])
    require(any(key.name == note.origin for key, _ in signed), "note_unsigned")
    return note


def require_included(leaf, index, path, note):
    """RFC 9162, section 2.1.3.2, which is the tree of RFC 6962."""
    require(is_count(index) and index < note.size, "not_logged")
    at, last, node = index, note.size - 1, leaf
    for other in path:
        require(last > 0, "not_logged")
        if at & 1 or at == last:
            node = node_hash(other, node)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            node = node_hash(node, other)
        at, last = at >> 1, last >> 1
    require(last == 0 and node == note.root, "not_logged")


def require_consistent(old, new, path):
    """RFC 9162, section 2.1.4.2: the old state is the beginning of the new one."""
    require(old.origin == new.origin and old.size <= new.size, "forked")
    if old.size == new.size or old.size == 0:
        require(not path and old.root == (new.root if old.size == new.size else NO_LEAVES), "forked")
        return
    nodes = list(path)
    at, last = old.size - 1, new.size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    if at == 0:
        nodes.insert(0, old.root)
    require(nodes, "forked")
    first = second = nodes.pop(0)
    for other in nodes:
        require(last > 0, "forked")
        if at & 1 or at == last:
            first, second = node_hash(other, first), node_hash(other, second)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            second = node_hash(second, other)
        at, last = at >> 1, last >> 1
    require(last == 0 and first == old.root and second == new.root, "forked")


def read_receipts_entry(text):
    """Returns root and batches of a minute with receipts, or of the receipts from before the register."""
    try:
        entry = read_json(text)
    except (ValueError, RecursionError):
        entry = None
    require(type(entry) is dict and canonical(entry) == text, "not_logged")
    require(entry.get("v") == 1 and is_count(entry.get("at_ms")), "not_logged")
    receipts = entry.get("receipts") if entry.get("kind") == "genesis" else entry
    require(entry.get("kind") in ("receipts", "genesis") and type(receipts) is dict, "not_logged")
    require(is_hash(receipts.get("root")) and is_count(receipts.get("batches")), "not_logged")
    return receipts
