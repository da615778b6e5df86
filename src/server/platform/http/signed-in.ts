/** Who a token belongs to. */
export interface SignedIn {
  readonly userId: string
  readonly username: string
  readonly verified: boolean
  /** Names this session in `session-ended` and nowhere outside the server. */
  readonly tokenHash: Uint8Array
}

/** Whose token this is; null when it is nobody's, has expired or was ended. */
export type Authenticate = (token: string) => Promise<SignedIn | null>

/** Where a session was opened from, for its owner to see. */
export interface Device {
  readonly address: string
  readonly userAgent: string
}
