import type { RequestTimes } from './own-limits.ts'
import type { RefusedRequest } from './limit-audit.ts'

const DAY = 86_400_000

interface OwnBreak extends RequestTimes {
  readonly kind: 'time_out' | 'exclusion'
  /** Days of a time-out, months of an exclusion. */
  readonly length: number
}

interface Closed {
  readonly kind: OwnBreak['kind']
  /** The break began at some moment from `earliest` to `from`, and ends at some moment from `until` to `latest`. */
  readonly earliest: number
  readonly from: number
  until: number
  latest: number
  /** When the time of the break is over, by its length alone. */
  readonly over: number
}

/** Checks the breaks of one user from their requests: nothing is accepted during a break, and no break ends early. */
export class BreakAudit {
  readonly #complain: (what: string) => void
  readonly #closed: Closed[] = []
  #returnRequestedAt: RequestTimes | null = null

  constructor(complain: (what: string) => void) {
    this.#complain = complain
  }

  begun({ kind, length, from, until }: OwnBreak): void {
    const end = (start: number) => (kind === 'time_out' ? start + length * DAY : monthsLater(start, length))
    const isOpen = kind === 'exclusion'
    const [first, last] = [end(from), end(until)]
    this.#closed.push({
      kind,
      earliest: from,
      from: until,
      until: isOpen ? Infinity : first,
      latest: isOpen ? Infinity : last,
      over: first,
    })
  }

  returnRequested({ from, until }: RequestTimes): void {
    const running = this.#exclusions()
    if (running.length === 0) return this.#complain('a return was requested without an exclusion')
    if (running.some(({ over }) => until < over)) this.#complain('a return was requested before the exclusion was over')
    this.#returnRequestedAt ??= { from, until }
  }

  returned({ from, until }: RequestTimes): void {
    const requested = this.#returnRequestedAt
    if (requested === null || until < requested.from + DAY)
      this.#complain('an exclusion ended within a day of the request to return')
    for (const one of this.#exclusions()) {
      if (until < one.over) this.#complain('an exclusion ended before its time')
      one.until = from
      one.latest = until
    }
    this.#returnRequestedAt = null
  }

  /** Checks an accepted order or deposit, by its time. */
  accepted(what: string, at: number): void {
    const own = this.#closed.find(({ from, until }) => at > from && at < until)
    if (own !== undefined) this.#complain(`${what} was accepted during a break (${own.kind})`)
  }

  refused({ code, from, until }: RefusedRequest): void {
    if (!['on_break', 'excluded', 'return_waits'].includes(code)) return
    if (!this.mayBeOn(from, until)) this.#complain(`an order was refused with ${code} outside of a break`)
  }

  /**
   * Whether a break may have been in force at some moment between `from` and `until`. The user cannot know its exact
   * start and end.
   */
  mayBeOn(from: number, until: number): boolean {
    return this.#closed.some((one) => one.earliest <= until && one.latest >= from)
  }

  /** Whether a break was certainly in force at `at`. */
  isOn(at: number): boolean {
    return this.#closed.some(({ from, until }) => at > from && at < until)
  }

  #exclusions(): Closed[] {
    return this.#closed.filter(({ kind, until }) => kind === 'exclusion' && until === Infinity)
  }

  /** Whether an exclusion may have been in force at some moment between `from` and `until`. */
  mayBeExcluded(from: number, until: number): boolean {
    return this.#closed.some((one) => one.kind === 'exclusion' && one.earliest <= until && one.latest >= from)
  }
}

/** The same time of the day, some months later in UTC. A day that the month lacks becomes its last day. */
function monthsLater(from: number, months: number): number {
  const date = new Date(from)
  const month = date.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), lastDay)
  return Date.UTC(date.getUTCFullYear(), month, day) + (from % DAY)
}
