const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const BECH32 = 1
const BECH32M = 0x2bc830a3
const CHECKSUM_LETTERS = 6
const MAX_LETTERS = 90

/** The witness program in a segregated-witness address. */
export interface Witness {
  readonly version: number
  readonly program: Uint8Array
}

/**
 * Decodes an address of BIP-173 or BIP-350 with the human-readable part `prefix`. Version 0 uses bech32, later versions
 * bech32m. Returns null when the address is malformed.
 */
export function decodeSegwit(prefix: string, text: string): Witness | null {
  if (text.length > MAX_LETTERS || (text !== text.toLowerCase() && text !== text.toUpperCase())) return null
  const lower = text.toLowerCase()
  if (!lower.startsWith(`${prefix}1`)) return null
  const values = Array.from(lower.slice(prefix.length + 1), (letter) => LETTERS.indexOf(letter))
  if (values.includes(-1) || values.length <= CHECKSUM_LETTERS) return null
  const [version = 0, ...data] = values.slice(0, -CHECKSUM_LETTERS)
  if (checksumOf([...expand(prefix), ...values]) !== (version === 0 ? BECH32 : BECH32M)) return null
  const program = toBytes(data)
  if (program === null || version > 16 || program.length < 2 || program.length > 40) return null
  return version === 0 && program.length !== 20 && program.length !== 32 ? null : { version, program }
}

function expand(prefix: string): number[] {
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0))
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

function checksumOf(values: readonly number[]): number {
  let checksum = 1
  for (const value of values) {
    const top = checksum >>> 25
    checksum = ((checksum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of GENERATOR.entries()) if ((top >> bit) & 1) checksum ^= generator
  }
  return checksum >>> 0
}

/**
 * Converts groups of five bits to bytes. Returns null when the left-over bits are not zero or make up a whole group.
 */
function toBytes(groups: readonly number[]): Uint8Array | null {
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  for (const group of groups) {
    held = ((held << 5) | group) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  return bits < 5 && (held & ((1 << bits) - 1)) === 0 ? Uint8Array.from(bytes) : null
}
