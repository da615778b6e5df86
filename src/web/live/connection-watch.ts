import type { Connection } from '#web/live/live-store.ts'

interface ConnectionWatchOptions {
  readonly now: () => number
  readonly ping: () => void
  readonly warnAfterMs: number
  readonly onConnection: (state: Connection, lastMessageAt: number) => void
}

/** 1 s without a message: the client sends a ping. Prices alone nearly always arrive sooner. */
const QUIET_MS = 1_000

/** Notices when messages stop: a lost network sends no event, and users must not trade on frozen prices. */
export class ConnectionWatch {
  readonly #options: ConnectionWatchOptions
  #lastMessageAt: number
  #lastPingAt: number
  #isSilent = false
  #wasConnected = false

  constructor(options: ConnectionWatchOptions) {
    this.#options = options
    this.#lastMessageAt = options.now()
    this.#lastPingAt = options.now()
  }

  /** Records that the socket has opened. Returns whether it has been open before. */
  noteOpen(): boolean {
    const { now, onConnection } = this.#options
    const isBack = this.#wasConnected
    this.#wasConnected = true
    this.#isSilent = false
    this.#lastMessageAt = now()
    onConnection('connected', this.#lastMessageAt)
    return isBack
  }

  noteLoss(): void {
    this.#report(this.#wasConnected || this.#isSilent ? 'offline' : 'connecting')
  }

  notePing(): void {
    this.#lastPingAt = this.#options.now()
  }

  noteMessage(): void {
    this.#lastMessageAt = this.#options.now()
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#report('connected')
  }

  check(): void {
    const { now, ping, warnAfterMs } = this.#options
    const at = now()
    if (at - this.#lastMessageAt >= QUIET_MS && at - this.#lastPingAt >= QUIET_MS) ping()
    if (!this.#isSilent && at - this.#lastMessageAt >= warnAfterMs) this.warn()
  }

  /** Counts the connection as silent until the next message. */
  warn(): void {
    this.#isSilent = true
    this.#report('offline')
  }

  #report(state: Connection): void {
    this.#options.onConnection(state, this.#lastMessageAt)
  }
}
