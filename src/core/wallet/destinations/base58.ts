import { sha256 } from '@noble/hashes/sha2.js'

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CHECKSUM_BYTES = 4
/** 64: longer than any address of 25 bytes, and short enough to decode cheaply. */
const MAX_LETTERS = 64

/** Decodes base58check to its content without the checksum. Returns null when a letter or the checksum is wrong. */
export function decodeBase58Check(text: string): Uint8Array | null {
  const bytes = decodeBase58(text)
  if (bytes === null || bytes.length <= CHECKSUM_BYTES) return null
  const content = bytes.slice(0, -CHECKSUM_BYTES)
  const expected = sha256(sha256(content))
  const isRight = bytes.slice(-CHECKSUM_BYTES).every((byte, at) => byte === expected[at])
  return isRight ? content : null
}

/** Whether a text has only letters of base58. */
export function isBase58(text: string): boolean {
  return text !== '' && Array.from(text).every((letter) => LETTERS.includes(letter))
}

function decodeBase58(text: string): Uint8Array | null {
  if (text.length > MAX_LETTERS || !isBase58(text)) return null
  let value = 0n
  for (const letter of text) value = value * 58n + BigInt(LETTERS.indexOf(letter))
  const bytes: number[] = []
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 0xffn))
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Uint8Array.from([...Array.from({ length: zeros }, () => 0), ...bytes])
}
