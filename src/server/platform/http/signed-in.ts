import type { KeyScope } from '#core/accounts/api-keys.ts'

/** The user to whom a session token or an API key belongs. */
export interface AuthenticatedUser {
  readonly userId: string
  readonly username: string
  readonly verified: boolean
  /** Whether the user is blocked or has left. Then only the calls that a user needs for leaving are answered. */
  readonly isLeaveOnly: boolean
  /** The ISO code of the declared country. Null without one. */
  readonly country: string | null
  /**
   * Whether a newer version of the terms of use waits for the user's consent. Until then the user can neither order nor
   * deposit.
   */
  readonly owesConsent: boolean
  /** Identifies this session or key in `session-ended`, and nowhere outside the server. */
  readonly tokenHash: Uint8Array
  /** The API key that was used. Null for a session. */
  readonly key: KeyInUse | null
}

/** An API key as a request uses it. */
export interface KeyInUse {
  readonly id: string
  /** The scope of the key on this site. */
  readonly scope: KeyScope
}

/** The name by which reads are counted: each key by itself, so that a key cannot use up the reads of its owner. */
export function readerOf({ userId, key }: Pick<AuthenticatedUser, 'userId' | 'key'>): string {
  return key?.id ?? userId
}

/**
 * Returns the user of a session's token or of an API key. Null when the token or key is unknown, expired, ended, or not
 * allowed for this address.
 */
export type Authenticate = (token: string, from: Device) => Promise<AuthenticatedUser | null>

/** Where a session was opened or a key was used, shown to its user. */
export interface Device {
  readonly address: string
  readonly userAgent: string
  /** The ISO code of the address's country. Null when it is unknown. */
  readonly country: string | null
}
