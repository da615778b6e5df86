/** The user of a token. */
export interface AuthenticatedUser {
  readonly userId: string
  readonly username: string
  readonly verified: boolean
  /** The user is blocked or has left. Only calls that serve for leaving are answered. */
  readonly isLeaveOnly: boolean
  /** A newer version of the terms of use waits for the user's consent. Orders and deposits wait too. */
  readonly owesConsent: boolean
  /** Identifies this session in `session-ended`, and nowhere outside the server. */
  readonly tokenHash: Uint8Array
}

/** The user of a token; null when it is unknown, expired or ended. */
export type Authenticate = (token: string) => Promise<AuthenticatedUser | null>

/** Where a session was opened from, shown to its user. */
export interface Device {
  readonly address: string
  readonly userAgent: string
}
