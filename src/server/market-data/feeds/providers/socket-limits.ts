/** How patient a connection is. Times in milliseconds. */
export interface SocketLimits {
  /** The handshake has to be done by then. */
  readonly openWithinMs: number
  /** All that was asked for has to be granted by then. */
  readonly readyWithinMs: number
  /** A line that says nothing readable for so long is cut; after half of it, it is asked for a sign of life. */
  readonly silenceMs: number
  /** How often to ping, for lines that may be silent for long; one that does not answer is cut. */
  readonly pingEveryMs: number | null
  /** When to replace a line by a new one before the provider ends it. */
  readonly renewAfterMs: number | null
  /** How long old and new line run beside each other. */
  readonly overlapMs: number
  /** The longest wait before the first new attempt; it doubles with each one. */
  readonly backOffFromMs: number
  readonly backOffToMs: number
  /** After so long the next attempt counts as the first again. */
  readonly steadyAfterMs: number
  /** The least time between two messages of ours. */
  readonly betweenSendsMs: number
  /** How long to wait for the other side when we leave. */
  readonly closeWithinMs: number
  /** The largest message we take. */
  readonly mostBytes: number
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
  mostBytes: 1_048_576,
}
