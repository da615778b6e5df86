import { Secret, TOTP } from 'otpauth'
import { readCode } from '#core/accounts/one-time-code.ts'
import type { Instant } from '#core/time/instant.ts'

/** RFC 6238 as used by authenticator apps: SHA-1, six digits, thirty seconds. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** The clock may be one step off in either direction. */
const STEPS_OFF = 1
const SECRET_BYTES = 20

/** A new secret in base32, the format that apps accept. */
export function makeSecret(randomBytes: (count: number) => Uint8Array): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
}

/** The URI that a QR code passes to an app. */
export function secretUri(
  secret: string,
  { issuer, name }: { readonly issuer: string; readonly name: string },
): string {
  return new TOTP({ ...SHAPE, issuer, label: name, secret }).toString()
}

export function codeAt(secret: string, now: Instant): string {
  return new TOTP({ ...SHAPE, secret }).generate({ timestamp: now })
}

/** The time step of a correct code, whatever its spacing; null when it is wrong. The caller must accept a step only once. */
export function matchTotpStep(secret: string, typed: string, now: Instant): number | null {
  const code = readCode(typed)
  if (code === null) return null
  const delta = new TOTP({ ...SHAPE, secret }).validate({ token: code, timestamp: now, window: STEPS_OFF })
  return delta === null ? null : Math.floor(now / 1000 / SHAPE.period) + delta
}
