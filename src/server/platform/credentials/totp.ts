import { Secret, TOTP } from 'otpauth'
import { readCode } from '#core/accounts/one-time-code.ts'
import type { Instant } from '#core/time/instant.ts'

/** RFC 6238 as authenticator apps have it: SHA-1, six digits, thirty seconds. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** A clock may be one step off, either way. */
const STEPS_OFF = 1
const SECRET_BYTES = 20

/** A new secret in base32, as apps take it. */
export function makeSecret(randomBytes: (count: number) => Uint8Array): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
}

/** The address that a QR code hands to an app. */
export function secretUri(
  secret: string,
  { issuer, name }: { readonly issuer: string; readonly name: string },
): string {
  return new TOTP({ ...SHAPE, issuer, label: name, secret }).toString()
}

export function codeAt(secret: string, now: Instant): string {
  return new TOTP({ ...SHAPE, secret }).generate({ timestamp: now })
}

/** The step a right code belongs to, however it was typed; null when it is wrong. A step is to be used once. */
export function stepOfCode(secret: string, typed: string, now: Instant): number | null {
  const code = readCode(typed)
  if (code === null) return null
  const delta = new TOTP({ ...SHAPE, secret }).validate({ token: code, timestamp: now, window: STEPS_OFF })
  return delta === null ? null : Math.floor(now / 1000 / SHAPE.period) + delta
}
