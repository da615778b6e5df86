import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { asciiBytes, fromBase64Url } from '#core/proof/bytes.ts'
import { logLine } from '#core/register/open-note.ts'
import { KEY_TYPES, type NoteKey, type NoteLine } from '#core/register/signed-note.ts'
import { readKeyFile, writeKeyFile } from '#server/platform/credentials/key-file.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

/** A key that signs checkpoints of the register. The private half never leaves this object. */
export interface RegisterKey {
  /** The public half, 32 bytes. */
  readonly publicKey: Uint8Array
  sign(origin: string, checkpoint: string): NoteLine
}

const FILE = 'register-key.json'
const FORM = 'a private Ed25519 key as a JWK (RFC 8037), or a list of such keys with the newest first'

/**
 * Opens the keys of the register, newest first: from the environment, else from the data folder. When the folder has no
 * key, one is created there. While a new key replaces an old key, both sign.
 */
export function openRegisterKeys(dataDir: string, given: string | undefined): readonly RegisterKey[] {
  if (given !== undefined) return parseKeys(given, 'FAIRWICK_REGISTER_KEY')
  const stored = readKeyFile(dataDir, FILE)
  if (stored !== null) return parseKeys(stored, FILE)
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  writeKeyFile(dataDir, FILE, jwk)
  return [toKey(jwk, FILE)]
}

function parseKeys(text: string, where: string): readonly RegisterKey[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The error below does not repeat the text, because it is secret.
  }
  const keys = (Array.isArray(value) ? value : [value]).map((one: unknown) => toKey(one, where))
  if (keys.length === 0) throw new StartUpError(`${where} must contain ${FORM}.`)
  return keys
}

function toKey(value: unknown, where: string): RegisterKey {
  const { kty, crv, x, d } = (value ?? {}) as Record<string, unknown>
  const publicKey = typeof x === 'string' ? fromBase64Url(x) : null
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || typeof d !== 'string' || publicKey === null) {
    throw new StartUpError(`${where} must contain ${FORM}.`)
  }
  const privateKey = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })
  return {
    publicKey,
    sign: (origin, checkpoint) =>
      logLine(sha256, noteKeyOf(origin, publicKey), sign(null, asciiBytes(checkpoint), privateKey)),
  }
}

/** Returns the key as a verifier uses it. The name of the key is the origin of the register. */
export function noteKeyOf(origin: string, publicKey: Uint8Array): NoteKey {
  return { name: origin, type: KEY_TYPES.log, publicKey }
}
