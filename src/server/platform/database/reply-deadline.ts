import { HOUR_MS, SECOND_MS } from '#core/time/instant.ts'
import type { ServerClock } from '#server/platform/runtime/ports.ts'

/** A read marked as long may take as long as the database allows, plus 5 s. */
const LONG_READ_MS = HOUR_MS + 5 * SECOND_MS
/**
 * 0.5 s between the end of a silence and a second check. The second check is needed because this process may have been
 * suspended while the reply waited to be read.
 */
const SECOND_LOOK_MS = SECOND_MS / 2
/** 5 s: the deadline of a connection that may be dead. */
const SUSPECT_MS = 5 * SECOND_MS

export interface ReplyDeadlineOptions {
  readonly clock: Pick<ServerClock, 'steady' | 'after'>
  /** How long the connection may be silent while a reply is due. */
  readonly silentMs: () => number
  /** How many bytes the connection has received. */
  readonly bytesRead: () => number
  /** Called when the connection was silent for too long. */
  readonly onMissed: () => void
}

/** Monitors one connection while replies are due. */
export class ReplyDeadline {
  readonly #options: ReplyDeadlineOptions
  #owed = 0
  #isLongRead = false
  #isSuspect = false
  #isSecondLook = false
  #lastReplyAt = 0
  #bytesRead = 0
  #cancel: (() => void) | null = null

  constructor(options: ReplyDeadlineOptions) {
    this.#options = options
  }

  get isPending(): boolean {
    return this.#owed > 0
  }

  /** Called when a statement is about to be sent. */
  beginStatement(isLongRead: boolean): void {
    if (this.#owed === 0) this.#note()
    this.#owed += 1
    if (isLongRead) this.#isLongRead = true
    if (this.#cancel === null) this.#watch()
  }

  /** Called when a statement has ended, whether or not the database replied. */
  endStatement(): void {
    this.#owed -= 1
  }

  noteReply(): void {
    this.#note()
    this.#isSuspect = false
  }

  /** From now on the connection has 5 s for its next reply. */
  suspect(): void {
    this.#isSuspect = true
    // A pending second check comes earlier than a new timer would.
    if (this.#owed > 0 && !this.#isLongRead && !this.#isSecondLook) this.#watch()
  }

  endLongRead(): void {
    if (!this.#isLongRead) return
    this.#isLongRead = false
    // Cancels the timer, because it was set for the duration of a long read.
    this.#unwatch()
  }

  stop(): void {
    this.#cancel?.()
  }

  #note(): void {
    this.#lastReplyAt = this.#options.clock.steady()
    this.#bytesRead = this.#options.bytesRead()
  }

  #limitMs(): number {
    if (this.#isLongRead) return LONG_READ_MS
    const usual = this.#options.silentMs()
    return this.#isSuspect ? Math.min(usual, SUSPECT_MS) : usual
  }

  #unwatch(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#isSecondLook = false
  }

  #watch(): void {
    this.#unwatch()
    this.#cancel = this.#after(this.#leftMs(), () => {
      if (this.#owed === 0) return
      if (this.#leftMs() > 0) return this.#watch()
      this.#isSecondLook = true
      this.#cancel = this.#after(SECOND_LOOK_MS, () => {
        if (this.#owed === 0) return
        if (this.#leftMs() > 0) return this.#watch()
        this.#options.onMissed()
      })
    })
  }

  #after(ms: number, run: () => void): () => void {
    return this.#options.clock.after(ms, () => {
      this.#cancel = null
      this.#isSecondLook = false
      run()
    })
  }

  #leftMs(): number {
    if (this.#options.bytesRead() !== this.#bytesRead) this.noteReply()
    return this.#lastReplyAt + this.#limitMs() - this.#options.clock.steady()
  }
}
