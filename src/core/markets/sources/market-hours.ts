import type { Session } from '#core/markets/calendar/sessions.ts'
import { instant, type Instant } from '#core/time/instant.ts'

/** What a calendar says about prices; `session` answers the session at a moment, or else the next one. */
export class MarketHours {
  readonly #session: (ms: number) => Session
  readonly #startedAt: Instant

  constructor(session: (ms: number) => Session, startedAt: Instant) {
    this.#session = session
    this.#startedAt = startedAt
  }

  /** The moments of opening and closing are inside. */
  includes(time: Instant): boolean {
    const { open, close } = this.#session(time - 1)
    return open <= time && time <= close
  }

  /** Since when prices can be expected; while the market is closed, from its next opening. */
  begun(now: Instant): Instant {
    return instant(Math.max(this.#startedAt, this.#session(now).open))
  }
}
