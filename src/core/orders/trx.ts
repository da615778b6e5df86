import { type Instant, instant, SECOND_MS } from '#core/time/instant.ts'

/** Crockford's base 32: no I, L, O or U, so a reference can be read out and typed back. In the order of their character codes. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const TRX_BYTES = 8
/** Of 2026-01-01T00:00:00Z, where the first step of time begins. */
const START = instant(1_767_225_600_000)
const STEP_MS = 32 * SECOND_MS

/**
 * A short reference for people, `FW-0TXWD-7Q4M2-9A3BK`. The first five letters are the time, in steps of 32 seconds that begin anew
 * after 34 years: new ones go to the end of an index, beside their like. The other ten are 50 of the 64 random bits given, so that
 * none can be guessed. At 10,000 a second 320,000 share a step, of which two meet in one step of 20,000: 45 times in a year, where 60
 * random bits and no time had 40,000.
 *
 * Those made before have three times four letters, all random: nothing that reads one may count on how it is made.
 */
export function trxFrom(bytes: Uint8Array, at: Instant): string {
  if (bytes.length !== TRX_BYTES) throw new Error(`a reference takes ${TRX_BYTES} random bytes`)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [high, low] = [view.getUint32(0), view.getUint32(4)]
  const step = Math.floor((at - START) / STEP_MS)
  return `FW-${fiveLetters(step)}-${fiveLetters((high << 7) | (low >>> 25))}-${fiveLetters(low)}`
}

/** Of the 25 low bits. */
function fiveLetters(bits: number): string {
  let letters = ''
  for (let shift = 20; shift >= 0; shift -= 5) letters += ALPHABET.charAt((bits >>> shift) & 31)
  return letters
}
