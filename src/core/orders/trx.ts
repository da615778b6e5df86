import { normaliseLine } from '#core/text/normalise-text.ts'
import { type Instant, instant, SECOND_MS } from '#core/time/instant.ts'

/**
 * Crockford's base 32 leaves out I, L, O and U, so that a reference can be read out and typed. The letters are in the
 * order of their character codes.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const TRX_BYTES = 8
/** 2026-01-01T00:00:00Z, the start of time step 0. */
const START = instant(1_767_225_600_000)
const STEP_MS = 32 * SECOND_MS

/**
 * Creates a short reference that users see, `FW-0TXWD-7Q4M2-9A3BK`.
 *
 * The first five letters are the time in steps of 32 s, which wrap around after 34 years. New references therefore go
 * to the end of an index. The other ten letters are 50 of the 64 random bits, so that no reference can be guessed. At
 * 10,000 orders per second, 320,000 references share a step, and one step in 20,000 contains a duplicate: 45 duplicates
 * a year. With 60 random bits and no time, 40,000 references a year would be duplicates.
 *
 * Older references have three groups of four random letters, so no parser may rely on the structure.
 */
export function trxFrom(bytes: Uint8Array, at: Instant): string {
  if (bytes.length !== TRX_BYTES) throw new Error(`a reference takes ${TRX_BYTES} random bytes`)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [high, low] = [view.getUint32(0), view.getUint32(4)]
  const step = Math.floor((at - START) / STEP_MS)
  return `FW-${fiveLetters(step)}-${fiveLetters((high << 7) | (low >>> 25))}-${fiveLetters(low)}`
}

const WHOLE = /^FW([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{5})$/

/**
 * Reads a reference, or the start of one, as a person types it: in any case, with hyphens, other dashes or spaces. Only
 * a whole reference may have no separators, because usernames can begin with `fw`. Null when the text is no reference.
 */
export function readTrxStart(text: string): string | null {
  const typed = normaliseLine(text.normalize('NFKC'))
    .toUpperCase()
    .replace(/[\p{Pd}\s]+/gu, '-')
  if (/^FW-[0-9A-Z-]*$/.test(typed)) return typed
  const groups = WHOLE.exec(typed)?.slice(1)
  return groups === undefined ? null : ['FW', ...groups].join('-')
}

/** Encodes the low 25 bits. */
function fiveLetters(bits: number): string {
  let letters = ''
  for (let shift = 20; shift >= 0; shift -= 5) letters += ALPHABET.charAt((bits >>> shift) & 31)
  return letters
}
