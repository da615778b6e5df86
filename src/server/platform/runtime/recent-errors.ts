import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { Clock, Log } from '#server/platform/runtime/ports.ts'

/** A sentence of the log that said something failed, and how often. */
export interface LoggedError {
  readonly message: string
  readonly count: number
  readonly lastAt: Instant
}

export interface ErrorBook {
  /** Writes on to the log that was given. */
  readonly log: Log
  /** What failed in the last 24 hours, the latest first. */
  recent(): LoggedError[]
}

/** The log's sentences are fixed texts in the code; should one ever carry more, it cannot fill the memory. */
const MOST_MESSAGES = 100

/** Remembers the errors that go to the log, by their sentence alone: the facts beside it stay in the log. */
export function createErrorBook(log: Log, clock: Clock): ErrorBook {
  const book = new Map<string, LoggedError>()
  return {
    log: {
      debug: (facts, message) => log.debug(facts, message),
      info: (facts, message) => log.info(facts, message),
      warn: (facts, message) => log.warn(facts, message),
      error(facts, message) {
        log.error(facts, message)
        const count = (book.get(message)?.count ?? 0) + 1
        // Put in anew, so that the first one is the one not heard of for the longest.
        book.delete(message)
        book.set(message, { message, count, lastAt: clock.now() })
        const [oldest] = book.keys()
        if (book.size > MOST_MESSAGES && oldest !== undefined) book.delete(oldest)
      },
    },
    recent() {
      for (const { message, lastAt } of book.values()) if (clock.now() - lastAt >= DAY_MS) book.delete(message)
      return [...book.values()].toReversed()
    },
  }
}
