import type { Session } from '#core/markets/calendar/sessions.ts'
import { instant, type Instant } from '#core/time/instant.ts'

/** Trading hours of a symbol. `session` returns the session that contains an instant, or the next one. */
export class MarketHours {
  readonly #session: (ms: number) => Session
  readonly #startedAt: Instant

  constructor(session: (ms: number) => Session, startedAt: Instant) {
    this.#session = session
    this.#startedAt = startedAt
  }

  /** Whether a time is within a session, opening and closing instants included. */
  includes(time: Instant): boolean {
    const { open, close } = this.#session(time - 1)
    return open <= time && time <= close
  }

  /** Returns the instant since which prices are expected. While the market is closed, this is the next opening. */
  begun(now: Instant): Instant {
    return instant(Math.max(this.#startedAt, this.#session(now).open))
  }
}
