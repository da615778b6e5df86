import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { Clock, Log } from '#server/platform/runtime/ports.ts'

/** An error text of the log, and how often it occurred. */
export interface LoggedError {
  readonly message: string
  readonly count: number
  readonly lastAt: Instant
}

export interface RecentErrors {
  /** Forwards to the given log. */
  readonly log: Log
  /** Errors of the last 24 hours, latest first. */
  recent(): LoggedError[]
}

/** Log texts are fixed in the code. If one ever contained variable data, this limit protects the memory. */
const MAX_MESSAGES = 100

/** Remembers logged errors by their text only. Their facts stay in the log. */
export function createRecentErrors(log: Log, clock: Clock): RecentErrors {
  const book = new Map<string, LoggedError>()
  return {
    log: {
      debug: (facts, message) => log.debug(facts, message),
      info: (facts, message) => log.info(facts, message),
      warn: (facts, message) => log.warn(facts, message),
      error(facts, message) {
        log.error(facts, message)
        const count = (book.get(message)?.count ?? 0) + 1
        // Re-inserting moves the entry to the end, so the first entry is the least recent.
        book.delete(message)
        book.set(message, { message, count, lastAt: clock.now() })
        const [oldest] = book.keys()
        if (book.size > MAX_MESSAGES && oldest !== undefined) book.delete(oldest)
      },
    },
    recent() {
      for (const { message, lastAt } of book.values()) if (clock.now() - lastAt >= DAY_MS) book.delete(message)
      return [...book.values()].toReversed()
    },
  }
}
