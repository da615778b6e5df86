/** Computes SHA-256. The function is passed in, because servers and browsers have different implementations. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

export const HASH_BYTES = 32
/** The largest number in hashed content. Numbers are encoded in eight bytes, big-endian. */
export const MAX_NUMBER = 2n ** 63n - 1n

/** Reused for all numbers, because proofs of many accounts write millions of them. */
const EIGHT = new Uint8Array(8)
const EIGHT_VIEW = new DataView(EIGHT.buffer)

export function numberBytes(value: bigint | number): Uint8Array {
  const bytes = new Uint8Array(8)
  putNumber(bytes, 0, value)
  return bytes
}

/** Writes a number into existing bytes, in the encoding of `numberBytes`. */
export function putNumber(bytes: Uint8Array, at: number, value: bigint | number): void {
  EIGHT_VIEW.setBigUint64(0, BigInt(value))
  bytes.set(EIGHT, at)
}

export function numberAt(bytes: Uint8Array, at: number): bigint {
  if (at + 8 > bytes.length) throw new RangeError('a number needs eight bytes')
  for (let place = 0; place < 8; place++) EIGHT[place] = bytes[at + place] ?? 0
  return EIGHT_VIEW.getBigUint64(0)
}

/** Encodes ASCII text, one byte per character. */
export function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** Encodes any text as UTF-8. A surrogate without its pair becomes U+FFFD, as in `TextEncoder`. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(3 * text.length)
  let at = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
    if (code < 0x80) bytes[at++] = code
    else if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6)
      bytes[at++] = 0x80 | (code & 63)
    } else {
      if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12)
      else {
        bytes[at++] = 0xf0 | (code >> 18)
        bytes[at++] = 0x80 | ((code >> 12) & 63)
      }
      bytes[at++] = 0x80 | ((code >> 6) & 63)
      bytes[at++] = 0x80 | (code & 63)
    }
  }
  return bytes.subarray(0, at)
}

export function joinBytes(...pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX[byte] ?? ''
  return text
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE64URL = `${LETTERS}-_`
const BASE64 = `${LETTERS}+/`

/** Encodes bytes as base64url without padding (RFC 7515, appendix C). */
export function toBase64Url(bytes: Uint8Array): string {
  return encode(BASE64URL, bytes)
}

/** Encodes bytes as base64 with padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  const text = encode(BASE64, bytes)
  return text.padEnd(4 * Math.ceil(text.length / 4), '=')
}

function encode(alphabet: string, bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3)
    const bits = (first << 16) | (second << 8) | third
    const letters = Math.min(4, bytes.length - at + 1)
    for (let letter = 0; letter < letters; letter++) text += alphabet[(bits >> (18 - 6 * letter)) & 63]
  }
  return text
}

/**
 * Decodes base64url without padding. Returns null when the text is malformed or not the canonical encoding of its
 * bytes.
 */
export function fromBase64Url(text: string): Uint8Array | null {
  return decode(BASE64URL, text)
}

/** Decodes base64 with padding. Returns null when the text is malformed or not the canonical encoding of its bytes. */
export function fromBase64(text: string): Uint8Array | null {
  const isPadded = text.length % 4 === 0 && !/=./.test(text.replace(/=$/, ''))
  return isPadded ? decode(BASE64, text.replace(/=+$/, '')) : null
}

function decode(alphabet: string, text: string): Uint8Array | null {
  if (text.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit === -1) return null
    held = (held << 6) | digit
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at] = (held >> bits) & 0xff
    at += 1
    held &= (1 << bits) - 1
  }
  return held === 0 ? bytes : null
}

/** Decodes hexadecimal text in lower case only, so that each value has one form. Throws on anything else. */
export function fromHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new Error('not hexadecimal')
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16)
  return bytes
}
