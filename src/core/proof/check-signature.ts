import { asciiBytes } from '#core/proof/bytes.ts'
import type { SignedRoot } from '#core/proof/receipt.ts'

/** A public key that receipts were signed with, and for how long: a JWK with its times. */
export interface SigningKey {
  readonly kid: string
  /** The key itself, base64url. */
  readonly x: string
  readonly from_ms: number
  /** Nothing is signed with it from then on. */
  readonly retired_ms: number | null
}

/** Verifies an Ed25519 signature; handed in, as servers and browsers each have their own. */
export type VerifyEd25519 = (publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean

/**
 * Why a signature does not count: `signature_form`, not a signature as we make them; `key_unknown`, by a key that is
 * not ours; `key_retired`, made when its key was not in use; `signature`, not by that key or of something else.
 */
export type SignatureFault = 'signature_form' | 'key_unknown' | 'key_retired' | 'signature'

/** What a receipt's signature covers, or why it does not count. */
export function checkSignature(
  jws: string,
  keys: readonly SigningKey[],
  verify: VerifyEd25519,
): SignedRoot | SignatureFault {
  const [headerText = '', payloadText = '', signatureText = '', ...more] = jws.split('.')
  const header = readJson(headerText)
  const signed = readRoot(readJson(payloadText))
  const signature = fromBase64Url(signatureText)
  if (more.length > 0 || header === null || signed === null || signature?.length !== 64) return 'signature_form'
  if (header['alg'] !== 'EdDSA' || header['typ'] !== SIGNATURE_TYPE || 'crit' in header) return 'signature_form'
  const key = keys.find(({ kid }) => kid === header['kid'])
  const publicKey = key === undefined ? null : fromBase64Url(key.x)
  if (key === undefined || publicKey?.length !== 32) return 'key_unknown'
  if (!verify(publicKey, signature, asciiBytes(`${headerText}.${payloadText}`))) return 'signature'
  const wasInUse = signed.made_ms >= key.from_ms && (key.retired_ms === null || signed.made_ms < key.retired_ms)
  return wasInUse ? signed : 'key_retired'
}

/** The name of the key that a signature says it is by; empty when it says none. */
export function kidOf(jws: string): string {
  const kid = readJson(jws.split('.')[0] ?? '')?.['kid']
  return typeof kid === 'string' ? kid : ''
}

/** The `typ` in the header of every signature. */
export const SIGNATURE_TYPE = 'fairwick-receipts'

function readRoot(value: Record<string, unknown> | null): SignedRoot | null {
  if (value === null) return null
  const { v, kind, root, count, made_ms } = value
  if (v !== 1 || (kind !== 'accepted' && kind !== 'result')) return null
  if (typeof root !== 'string' || !/^[0-9a-f]{64}$/.test(root)) return null
  if (typeof count !== 'number' || typeof made_ms !== 'number') return null
  return { v, kind, root, count, made_ms }
}

function readJson(text: string): Record<string, unknown> | null {
  const bytes = fromBase64Url(text)
  if (bytes === null) return null
  try {
    const value: unknown = JSON.parse(String.fromCharCode(...bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    // Not JSON is no header and no payload.
    return null
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const MOST_LETTERS = 10_000

/** Bytes of base64url without padding (RFC 7515, appendix C); null when it is not that, or written in a second way. */
export function fromBase64Url(text: string): Uint8Array | null {
  if (text.length > MOST_LETTERS || text.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter)
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
