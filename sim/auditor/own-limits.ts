/** The limits that a user can set, as their specification names them. */
export const LIMIT_KEYS = [
  'stake_max',
  'loss_day',
  'loss_week',
  'loss_month',
  'staked_day',
  'staked_week',
  'staked_month',
  'deposit_day',
  'deposit_week',
  'deposit_month',
] as const
export type LimitKey = (typeof LIMIT_KEYS)[number]

const DAY = 86_400_000
const COOLING = DAY
const CONFIRMATION = 7 * DAY

/**
 * The times of a request that its user may have sent several times: the first attempt, and the reply to the last
 * attempt.
 */
export interface RequestTimes {
  readonly from: number
  readonly until: number
}

export interface LimitRequest extends RequestTimes {
  readonly key: LimitKey
  /** Null for no limit. */
  readonly value: number | null
}

interface Step extends RequestTimes {
  readonly value: number | null
}

/**
 * The values of one limit over time, from the user's requests alone. A value comes into force at an unknown moment
 * between a request and its reply.
 */
export class LimitHistory {
  readonly #complain: (what: string) => void
  readonly #steps: Step[] = [{ from: -Infinity, until: -Infinity, value: null }]
  #waiting: Step | null = null

  constructor(complain: (what: string) => void) {
    this.#complain = complain
  }

  changed({ value, from, until }: LimitRequest): void {
    const held = this.#steps.at(-1)?.value ?? null
    if (value === held) this.#waiting = null
    else if (value !== null && (held === null || value < held)) {
      this.#steps.push({ value, from, until })
      this.#waiting = null
    } else if (this.#waiting === null || this.#waiting.value !== value) this.#waiting = { value, from, until }
  }

  /** Notes that the server confirmed, refused or dropped a waiting change, and checks that this was due. */
  ended({ key, value, from, until, code }: LimitRequest & { readonly code: string }): void {
    const waiting = this.#waiting
    if (code === 'confirmed') {
      if (waiting === null || waiting.value !== value)
        return this.#complain(`${key} was loosened to ${value}, which its user did not request`)
      if (until < waiting.from + COOLING) this.#complain(`${key} was loosened within a day of the request`)
      if (from > waiting.until + COOLING + CONFIRMATION)
        this.#complain(`${key} was loosened after more than eight days`)
      this.#steps.push({ value, from, until })
    }
    if (waiting === null) return
    if (code === 'change_waits' && from > waiting.until + COOLING)
      this.#complain(`${key} could not be loosened a day after the request`)
    if (code === 'change_lapsed' && until < waiting.from + COOLING + CONFIRMATION)
      this.#complain(`${key} could not be loosened within eight days of the request`)
    if (code !== 'change_waits') this.#waiting = null
  }

  /** The values that may have been in force at some moment between `from` and `until`. */
  possible(from: number, until: number): (number | null)[] {
    return this.#steps
      .filter((step, at) => step.from <= until && (this.#steps[at + 1]?.until ?? Infinity) >= from)
      .map(({ value }) => value)
  }
}
