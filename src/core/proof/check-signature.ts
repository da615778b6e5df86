import { asciiBytes, fromBase64Url, HASH_BYTES, type Sha256, toBase64Url } from '#core/proof/bytes.ts'
import { isInstant } from '#core/time/instant.ts'
import { parseJson } from '#core/text/parse-json.ts'
import { BATCH_KINDS, type SignedRoot } from '#core/proof/receipt.ts'

/** A public key for receipts and its period of use: a JWK with times. */
export interface SigningKey {
  /** The key's id. A check computes it from `x` and accepts no other. */
  readonly kid: string
  /** The key itself, base64url. */
  readonly x: string
  /** `OKP` and `Ed25519`, if given. Other values make the key invalid. */
  readonly kty?: unknown
  readonly crv?: unknown
  readonly from_ms: number
  /** The key signs nothing from this time on. Null while the key is in use. */
  readonly retired_ms: number | null
}

/**
 * Verifies an Ed25519 signature. The function is passed in, because servers and browsers have different
 * implementations.
 */
export type VerifyEd25519 = (publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean

/** Cryptographic functions that servers and browsers implement differently. */
export interface CheckTools {
  readonly sha256: Sha256
  readonly verify: VerifyEd25519
}

/**
 * Why a signature is not valid:
 * - `signature_form`: the signature has another format than our signatures.
 * - `key_unknown`: its key is not ours, or has an id that does not match the key.
 * - `key_retired`: it was made while its key was not in use.
 * - `signature`: it was made by another key or for other content.
 */
export type SignatureFault = 'signature_form' | 'key_unknown' | 'key_retired' | 'signature'

/** The content of a valid signature. */
interface Signed<Content> {
  readonly content: Content
  /** The signed text. */
  readonly text: string
  /** The id of its key, computed from the key. */
  readonly kid: string
}

/** Checks a signature of receipts of orders, or of money. Returns the root that it covers, or the fault. */
export function checkSignature(
  tools: CheckTools,
  jws: string,
  keys: readonly SigningKey[],
  subject: 'order' | 'money' = 'order',
): { readonly root: SignedRoot; readonly kid: string } | SignatureFault {
  const signed = checkJws(tools, jws, keys, {
    type: SIGNATURE_TYPE,
    read: (text) =>
      readRoot(
        toObject(text),
        BATCH_KINDS.filter((kind) => (kind === 'money') === (subject === 'money')),
      ),
    timeOf: (root) => root.made_ms,
  })
  return typeof signed === 'string' ? signed : { root: signed.content, kid: signed.kid }
}

/** How a kind of signed content is recognised and parsed. */
export interface SignedKind<Content> {
  /** The `typ` in the header of signatures of this kind. */
  readonly type: string
  /** Parses the signed text. Null when it is not of this kind. */
  readonly read: (text: string) => Content | null
  /** Returns when the content was signed. */
  readonly timeOf: (content: Content) => number
}

/** Checks a signature over content of a kind, whose key was in use when the content was made. */
export function checkJws<Content>(
  tools: CheckTools,
  jws: string,
  keys: readonly SigningKey[],
  { type, read, timeOf }: SignedKind<Content>,
): Signed<Content> | SignatureFault {
  if (jws.length > MAX_LETTERS) return 'signature_form'
  const [headerText = '', payloadText = '', signatureText = '', ...more] = jws.split('.')
  const header = toObject(decodeText(headerText))
  const text = decodeText(payloadText)
  const content = text === null ? null : read(text)
  const signature = fromBase64Url(signatureText)
  if (more.length > 0 || header === null || text === null || content === null) return 'signature_form'
  if (signature?.length !== 64) return 'signature_form'
  if (header['alg'] !== 'EdDSA' || header['typ'] !== type || 'crit' in header) return 'signature_form'
  const key = keys.find((one) => one.kid === header['kid'] && isOwnId(tools.sha256, one))
  const publicKey = key === undefined ? null : fromBase64Url(key.x)
  if (key === undefined || publicKey === null) return 'key_unknown'
  if (!tools.verify(publicKey, signature, asciiBytes(`${headerText}.${payloadText}`))) return 'signature'
  const signedMs = timeOf(content)
  const wasInUse = signedMs >= key.from_ms && (key.retired_ms === null || signedMs < key.retired_ms)
  return wasInUse ? { content, text, kid: key.kid } : 'key_retired'
}

/** Whether a key is Ed25519 and its id matches its content. */
function isOwnId(sha256: Sha256, { kid, x, kty = 'OKP', crv = 'Ed25519' }: SigningKey): boolean {
  return kty === 'OKP' && crv === 'Ed25519' && kid === keyId(sha256, x)
}

/** Computes the id of an Ed25519 key from `x`: its RFC 7638 thumbprint. Returns null when `x` is no such key. */
function keyId(sha256: Sha256, x: string): string | null {
  if (x.length > MAX_LETTERS || fromBase64Url(x)?.length !== HASH_BYTES) return null
  return toBase64Url(sha256(asciiBytes(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)))
}

/** 10,000: far longer than our signatures, and short enough to decode cheaply. */
const MAX_LETTERS = 10_000

/** The `typ` in the header of every signature of receipts. */
export const SIGNATURE_TYPE = 'fairwick-receipts'
/** The `typ` of a signed list of measures against a user. No check accepts such a list as a receipt. */
export const MEASURES_TYPE = 'fairwick-measures'

function readRoot(value: Record<string, unknown> | null, kinds: readonly SignedRoot['kind'][]): SignedRoot | null {
  if (value === null) return null
  const { v, kind: named, root, count, made_ms } = value
  const kind = kinds.find((one) => one === named)
  if (v !== 1 || kind === undefined) return null
  if (typeof root !== 'string' || !/^[0-9a-f]{64}$/.test(root)) return null
  if (!isWhole(count) || count < 1 || !isInstant(made_ms)) return null
  return { v, kind, root, count, made_ms }
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}

function decodeText(text: string): string | null {
  const bytes = fromBase64Url(text)
  return bytes === null ? null : String.fromCharCode(...bytes)
}

function toObject(text: string | null): Record<string, unknown> | null {
  if (text === null) return null
  try {
    const value: unknown = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    // Text that is not JSON is neither header nor payload.
    return null
  }
}
