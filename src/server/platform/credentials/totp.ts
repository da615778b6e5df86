import { Secret, TOTP } from 'otpauth'
import { readCode } from '#core/accounts/one-time-code.ts'
import type { Instant } from '#core/time/instant.ts'

/** RFC 6238 as used by authenticator apps: SHA-1, six digits, thirty seconds. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** The clock of the device with the authenticator app may be one step (30 s) off in either direction. */
const STEPS_OFF = 1
const SECRET_BYTES = 20

/** Returns a new secret in base32, the format that authenticator apps accept. */
export function makeSecret(randomBytes: (count: number) => Uint8Array): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
}

/** Returns the URI that a QR code passes to an authenticator app. */
export function secretUri(
  secret: string,
  { issuer, name }: { readonly issuer: string; readonly name: string },
): string {
  return new TOTP({ ...SHAPE, issuer, label: name, secret }).toString()
}

export function codeAt(secret: string, now: Instant): string {
  return new TOTP({ ...SHAPE, secret }).generate({ timestamp: now })
}

/**
 * Returns the time step of a correct code, which may contain spaces; null when the code is wrong. The caller must
 * accept a step only once.
 */
export function matchTotpStep(secret: string, typed: string, now: Instant): number | null {
  const code = readCode(typed)
  if (code === null) return null
  const delta = new TOTP({ ...SHAPE, secret }).validate({ token: code, timestamp: now, window: STEPS_OFF })
  return delta === null ? null : Math.floor(now / 1000 / SHAPE.period) + delta
}
