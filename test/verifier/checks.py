"""The five checks: an order, money, its place in the register, two states of the register, and cosignatures."""

import base64

from plain import (
    Unreadable,
    is_ascii,
    is_count,
    is_hash,
    is_integer,
    is_text,
    leaf_hash,
    node_hash,
    require,
)
from money import require_money
from receipt import fits_tree, read_receipt, shared_facts
from register import (
    COSIGNATURE,
    open_note,
    read_key,
    read_receipts_entry,
    require_consistent,
    require_included,
    signed_by,
)
from sale import require_sale
from rules import NO_HISTORY, is_tick, require_amended, require_continuation, require_decision
from terms import require_class, require_terms, require_wait
from ticklog import read_piece, require_one_log

MAX_CLOCK_SKEW_MS = 5_000
MAX_ENTRY_DELAY_MS = 5_000
MAX_WAIT_MS = 1_500
MAX_AGE_MS = 600_000
MAX_STEPS = 30


def _readable(condition, what):
    if not condition:
        raise Unreadable(what)


def _object(value, **shape):
    _readable(type(value) is dict, "an object is missing")
    for name, fits in shape.items():
        _readable(name in value and fits(value[name]), name)


def _list(value, what):
    _readable(type(value) is list, what)
    return value


def _read_receipt_form(receipt):
    _object(
        receipt,
        format=lambda value: value == "fairwick-receipt",
        version=lambda value: type(value) is int and value == 1,
        facts=is_ascii,
        signature=is_text,
        path=lambda value: type(value) is list and len(value) <= MAX_STEPS,
    )
    for step in receipt["path"]:
        _object(step, side=lambda value: value in ("left", "right"), hash=is_hash)
    _readable("owner" not in receipt or is_ascii(receipt["owner"]), "owner")


def _read_batches(value):
    for batch in _list(value, "a piece of the log"):
        _object(batch, first_seq=is_integer, last_seq=is_integer, previous_hash=is_text, hash=is_text, payload=is_text)


def read_keys(value):
    """Reads signing keys, alone or in a reply of the API."""
    if type(value) is dict:
        value = value["data"].get("keys") if type(value.get("data")) is dict else value.get("keys")
    for key in _list(value, "keys"):
        _object(
            key,
            kid=is_text,
            x=is_text,
            from_ms=is_integer,
            retired_ms=lambda value: value is None or is_integer(value),
        )
    return value


def _read_check_file(file):
    _object(
        file,
        format=lambda value: value == "fairwick-check",
        version=lambda value: type(value) is int and value in (1, 2),
        accepted=lambda value: value is None or type(value) is dict,
        result=lambda value: value is None or type(value) is dict,
        evidence=lambda value: type(value) is dict,
    )
    receipts = [file[kind] for kind in ("accepted", "result") if file[kind] is not None]
    _readable(receipts, "receipts")
    receipts += [file[kind] for kind in ("amended", "sale") if file.get(kind) is not None]
    for receipt in receipts:
        _read_receipt_form(receipt)
    for name in ("entry_log", "exit_log"):
        _readable(name in file["evidence"], name)
        _read_batches(file["evidence"][name])
    if file["version"] == 2:
        for name in ("terms", "sources"):
            _readable(all(map(is_text, _list(file["evidence"].get(name), name))), name)


def _require_entry(facts, piece):
    require((piece.last_seq, piece.last_hash) == (facts["head"]["q"], facts["head"]["hash"]), "head")
    own = [line for line in piece.lines if not line.is_late and line.symbol == facts["symbol_id"]]
    require(own and is_tick(own[-1], facts["entry"]), "entry")
    require(facts.get("source", own[-1].source) == own[-1].source, "entry")
    age = facts["opened_ms"] - own[-1].time_ms
    require(-MAX_CLOCK_SKEW_MS <= age <= facts.get("max_tick_age_ms", MAX_AGE_MS), "entry")
    require(own[-1].received_ms - own[-1].time_ms <= MAX_ENTRY_DELAY_MS, "entry")


def _require_clock(facts, entry_piece, exit_piece):
    """The ticks around the head say when the order opened. A price that waited for the log shows no time."""
    newest = max(line.received_ms for line in entry_piece.lines if not line.is_late)
    require(newest <= facts["opened_ms"] + MAX_CLOCK_SKEW_MS, "clock")
    for line in exit_piece.lines if exit_piece else []:
        if not line.is_late and line.q > facts["head"]["q"] and line.received_ms > newest:
            require(facts["opened_ms"] <= line.received_ms + MAX_CLOCK_SKEW_MS, "clock")
            return


def _require_later(facts, exit_piece, later):
    require((later.first_seq, later.first_hash) == (exit_piece.last_seq + 1, exit_piece.last_hash), "log")
    own = [line for line in later.lines if not line.is_late and line.symbol == facts["symbol_id"]]
    for line in own:
        require(line.received_ms > facts["opened_ms"] - MAX_WAIT_MS, "entry")
    require_continuation(facts, own)


def check_order(file, keys=None, later=None):
    """Checks a check file. `later` is a piece of the log that follows it. Returns the facts of its last receipt."""
    _read_check_file(file)
    keys = read_keys(file.get("keys")) if keys is None else read_keys(keys)
    kinds = [kind for kind in ("accepted", "result") if file[kind] is not None]
    found = [read_receipt(file[kind], keys)[0] for kind in kinds]
    require([facts["kind"] for facts in found] == kinds, "terms")
    require(found[0]["v"] == found[-1]["v"] and shared_facts(found[0]) == shared_facts(found[-1]), "terms")
    facts, evidence = found[-1], file["evidence"]
    entry_piece = read_piece(evidence["entry_log"])
    exit_piece = None
    if facts["kind"] == "result":
        exit_piece = read_piece(evidence["exit_log"])
        require_one_log(entry_piece, exit_piece)
    _require_entry(facts, entry_piece)
    _require_clock(facts, entry_piece, exit_piece)
    if exit_piece is not None:
        head = facts["decided_head"]
        require((exit_piece.last_seq, exit_piece.last_hash) == (head["q"], head["hash"]), "head")
        require(head["q"] >= facts["head"]["q"], "head")
        for line in exit_piece.lines:
            if not line.is_late and line.symbol == facts["symbol_id"] and line.q > facts["head"]["q"]:
                require(line.received_ms > facts["opened_ms"] - MAX_WAIT_MS, "entry")
        require_decision(facts, exit_piece)
        if later is not None:
            _read_batches(later)
            _require_later(facts, exit_piece, read_piece(later))
    if file.get("amended") is not None:
        amended = read_receipt(file["amended"], keys)[0]
        require(amended["kind"] == "amended" and facts["kind"] == "result", "terms")
        require_amended(facts, amended)
    if file.get("sale") is not None:
        _require_sale(facts, file, keys, entry_piece)
    if facts["v"] == 2:
        require_terms(facts, evidence.get("terms", []) if file["version"] == 2 else [])
        if facts.get("void") in NO_HISTORY:
            require_wait(facts, evidence["terms"])
        require_class(facts, evidence["entry_log"], evidence.get("sources", []) if file["version"] == 2 else [])
    return facts


def _require_sale(facts, file, keys, entry_piece):
    sale = read_receipt(file["sale"], keys)[0]
    require(sale["kind"] == "sale" and facts["kind"] == "accepted", "terms")
    require(shared_facts(sale) == shared_facts(facts), "terms")
    piece = read_piece(file["evidence"]["exit_log"])
    require_one_log(entry_piece, piece)
    require_sale(sale, file["sale"], piece, file["evidence"].get("terms", []))


def check_money(file, keys=None):
    """Checks a file with the receipts of a deposit, withdrawal or adjustment."""
    _object(
        file,
        format=lambda value: value == "fairwick-money",
        version=lambda value: type(value) is int and value == 1,
        receipts=lambda value: type(value) is list and value != [],
    )
    for receipt in file["receipts"]:
        _read_receipt_form(receipt)
    require_money(file["receipts"], read_keys(file.get("keys") if keys is None else keys))


def _hashes(values, verdict):
    found = []
    for value in _list(values, "path"):
        _readable(is_text(value), "path")
        try:
            data = base64.b64decode(value, validate=True)
        except ValueError:
            data = b""
        require(len(data) == 32 and base64.b64encode(data).decode() == value, verdict)
        found.append(data)
    return found


def _register_keys(value):
    keys = _list(value, "register_keys")
    _readable(keys and all(map(is_text, keys)), "register_keys")
    return [read_key(key) for key in keys]


def check_register(request):
    """Checks that the register holds a receipt: receipt, keys, proof, register_keys."""
    _object(request, receipt=lambda value: type(value) is dict, proof=lambda value: type(value) is dict)
    _read_receipt_form(request["receipt"])
    proof = request["proof"]
    _object(proof, index=is_integer, text=is_text, batch_path=lambda value: type(value) is list, note=is_text)
    for step in proof["batch_path"]:
        _object(step, side=lambda value: value in ("left", "right"), hash=is_hash)
    _, signed = read_receipt(request["receipt"], read_keys(request.get("keys")))
    log_keys = _register_keys(request.get("register_keys"))
    receipts = read_receipts_entry(proof["text"])
    node = bytes.fromhex(signed["root"])
    for step in proof["batch_path"]:
        other = bytes.fromhex(step["hash"])
        node = node_hash(other, node) if step["side"] == "left" else node_hash(node, other)
    require(node.hex() == receipts["root"], "not_logged")
    require(fits_tree([step["side"] for step in proof["batch_path"]], receipts["batches"]), "not_logged")
    require(receipts.get("orders") != 0, "not_logged")
    note = open_note(proof["note"], log_keys)
    require_included(leaf_hash(proof["text"]), proof["index"], _hashes(proof.get("path"), "not_logged"), note)


def check_consistency(request):
    """Checks that one state of the register is the beginning of another: old, new, hashes, register_keys."""
    _object(request, old=is_text, new=is_text)
    log_keys = _register_keys(request.get("register_keys"))
    old, new = open_note(request["old"], log_keys), open_note(request["new"], log_keys)
    require_consistent(old, new, _hashes(request.get("hashes"), "forked"))


def check_cosignatures(request):
    """Checks that witnesses signed a state of the register: note, register_keys, witness_keys, quorum."""
    _object(request, note=is_text, quorum=is_count)
    log_keys = _register_keys(request.get("register_keys"))
    witnesses = [key for key in _register_keys(request.get("witness_keys")) if key.type == COSIGNATURE]
    signed = {key for key, _ in signed_by(open_note(request["note"], log_keys), witnesses)}
    require(len(signed) >= request["quorum"], "quorum")
