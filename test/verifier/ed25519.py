"""Ed25519 (RFC 8032) for checking only. Multiples of the base point and of each key are kept, for speed."""

from functools import lru_cache
from hashlib import sha512

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def _add(a, b):
    """Adds points in extended coordinates (X : Y : Z : T), RFC 8032 section 5.1.4."""
    ax, ay, az, at = a
    bx, by, bz, bt = b
    lower = (ay - ax) * (by - bx) % P
    upper = (ay + ax) * (by + bx) % P
    cross = 2 * at * bt * D % P
    depth = 2 * az * bz % P
    e, f, g, h = upper - lower, depth - cross, depth + cross, upper + lower
    return e * f % P, g * h % P, f * g % P, e * h % P


def _decode(data):
    """Returns the point of 32 bytes, or None when they encode none."""
    sign = data[31] >> 7
    y = int.from_bytes(data, "little") & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT_OF_MINUS_ONE % P
    if x * x % P != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def _encode(point):
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def _multiples(point):
    """For each of the 64 half bytes of a number: the sixteen multiples that it can stand for."""
    rows = []
    for _ in range(64):
        row = [IDENTITY]
        for _ in range(15):
            row.append(_add(row[-1], point))
        rows.append(row)
        point = _add(row[15], point)
    return rows


def _multiply(rows, number):
    total = IDENTITY
    for row in rows:
        if number & 15:
            total = _add(total, row[number & 15])
        number >>= 4
    return total


BASE = _multiples(_decode(bytes([0x58]) + bytes([0x66]) * 31))


@lru_cache(maxsize=64)
def _negative_multiples(key):
    point = _decode(key)
    if point is None:
        return None
    x, y, z, t = point
    return _multiples((P - x, y, z, P - t))


@lru_cache(maxsize=4096)
def is_signed(key, signature, message):
    """Tells if `signature` (64 bytes) of `message` belongs to the public key (32 bytes)."""
    if len(key) != 32 or len(signature) != 64:
        return False
    rows = _negative_multiples(key)
    s = int.from_bytes(signature[32:], "little")
    if rows is None or s >= ORDER:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return _encode(_add(_multiply(BASE, s), _multiply(rows, challenge))) == signature[:32]
