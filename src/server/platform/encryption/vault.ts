import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import { assert } from '#core/result.ts'

const SCHEME = 'sealed1'
export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts data that a copy of the database must not reveal: AES-256-GCM, with the key's name as prefix. The text is
 * bound to its place, so that it cannot be decrypted in another place. Names distinguish keys, so that several keys can
 * decrypt during a rotation.
 */
export interface Vault {
  /** The name of the key used for encryption. */
  readonly keyName: string
  /** The names of all keys that decrypt. */
  readonly keyNames: readonly string[]
  /** `place` names the row and column, such as `staff:<id>`. */
  encrypt(text: string, place: string): string
  /** Throws when the text was changed, belongs to another place, or its key is unknown. */
  decrypt(sealed: string, place: string): string
  /** Whether the text is encrypted with the newest key. */
  isCurrent(stored: string): boolean
  /** Returns a fingerprint that is equal for equal texts. It reveals nothing without the key. */
  fingerprint(text: string): Uint8Array
  /** The text's fingerprints under all known keys, to find fingerprints that were made with an earlier key. */
  fingerprints(text: string): Uint8Array[]
  /** Whether this is the text's fingerprint under any known key. */
  hasFingerprint(text: string, fingerprint: Uint8Array): boolean
  /** Replaces the keys, newest first. */
  useKeys(keys: readonly Uint8Array[]): void
}

interface Derived {
  readonly name: string
  readonly forSealing: Uint8Array
  readonly forFingerprints: Uint8Array
}

export function createVault(keys: readonly Uint8Array[], randomBytes: (count: number) => Uint8Array): Vault {
  let known: readonly Derived[] = keys.map(derive)
  const newest = (): Derived => {
    const [first] = known
    assert(first, 'a vault has a key')
    return first
  }
  return {
    get keyName() {
      return newest().name
    },
    get keyNames() {
      return known.map(({ name }) => name)
    },
    encrypt(text, place) {
      const { name, forSealing } = newest()
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', forSealing, nonce).setAAD(Buffer.from(`${name} ${place}`))
      const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()])
      return `${SCHEME}.${name}.${Buffer.concat([body, cipher.getAuthTag()]).toString('base64url')}`
    },
    decrypt(sealed, place) {
      const [scheme, name, body = ''] = sealed.split('.')
      const key = known.find((one) => one.name === name)
      if (scheme !== SCHEME || !key) throw new Error(`cannot decrypt: unknown key ${name ?? ''}`)
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.forSealing, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(`${key.name} ${place}`))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
    },
    isCurrent: (stored) => stored.startsWith(`${SCHEME}.${newest().name}.`),
    fingerprint: (text) => new Uint8Array(fingerprintBy(newest(), text)),
    fingerprints: (text) => known.map((key) => new Uint8Array(fingerprintBy(key, text))),
    hasFingerprint: (text, fingerprint) => known.some((key) => fingerprintBy(key, text).equals(fingerprint)),
    useKeys(next) {
      known = next.map(derive)
    },
  }
}

function fingerprintBy(key: Derived, text: string): Buffer {
  return createHmac('sha256', key.forFingerprints).update(text).digest()
}

/** Derives one key per use, and a name that reveals nothing about the key. */
function derive(key: Uint8Array): Derived {
  assert(key.length === KEY_BYTES, 'a key has 32 bytes')
  const part = (use: string) => new Uint8Array(hkdfSync('sha256', key, '', `fairwick ${use}`, KEY_BYTES))
  const name = createHash('sha256').update(part('name')).digest('hex').slice(0, 12)
  return { name, forSealing: part('seal'), forFingerprints: part('fingerprint') }
}
