import { createHash } from 'node:crypto'

const TOKEN_BYTES = 32
/** 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Creates an opaque token. The database stores only its hash, so a copy of the database opens no session. */
export function makeToken(randomBytes: (count: number) => Uint8Array): string {
  return Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')
}

/** SHA-256 of a token; null when the text cannot be one. A token is random enough not to need a slow hash. */
export function hashToken(token: string): Uint8Array | null {
  return TOKEN.test(token) ? new Uint8Array(createHash('sha256').update(token).digest()) : null
}

/** Returns a short name of a session, which serves as key for counting attempts. */
export function sessionKey(tokenHash: Uint8Array): string {
  return Buffer.from(tokenHash).toString('base64url').slice(0, 16)
}
