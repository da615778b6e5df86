/** Time limits of a connection, in milliseconds. */
export interface SocketLimits {
  /** Maximum duration of the handshake. */
  readonly openWithinMs: number
  /** Maximum time until all subscriptions are confirmed. */
  readonly readyWithinMs: number
  /** A connection without a readable message for this long is cut. At half of it, a reply is requested. */
  readonly silenceMs: number
  /** Ping interval, for connections that may be silent for long. A connection that does not answer is cut. */
  readonly pingEveryMs: number | null
  /** When to replace a connection, before the provider ends it. */
  readonly renewAfterMs: number | null
  /** How long the old and new connection overlap. */
  readonly overlapMs: number
  /** The maximum wait before the first reconnect. It doubles with each attempt. */
  readonly backOffFromMs: number
  readonly backOffToMs: number
  /** After this uptime the next reconnect counts as the first again. */
  readonly steadyAfterMs: number
  /** The minimum time between two sent messages. */
  readonly betweenSendsMs: number
  /** How long to wait for the other side when closing. */
  readonly closeWithinMs: number
  /** The maximum size of a received message. */
  readonly maxBytes: number
}

export const SOCKET_LIMITS: SocketLimits = {
  openWithinMs: 10_000,
  readyWithinMs: 20_000,
  silenceMs: 10_000,
  pingEveryMs: null,
  renewAfterMs: null,
  overlapMs: 2_000,
  backOffFromMs: 500,
  backOffToMs: 30_000,
  steadyAfterMs: 30_000,
  betweenSendsMs: 250,
  closeWithinMs: 1_000,
  maxBytes: 1_048_576,
}
