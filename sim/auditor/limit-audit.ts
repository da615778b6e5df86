import { LIMIT_KEYS, LimitHistory, type LimitKey, type LimitRequest } from './own-limits.ts'
import { type SeenRow, textIn } from './seen-row.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WINDOWS: Readonly<Record<string, number>> = { day: DAY, week: 7 * DAY, month: 30 * DAY }
/**
 * A window may begin this much earlier than its length says, because the server lets it begin at a stored mark of the
 * user's totals.
 */
const SLACK: Readonly<Record<string, number>> = { day: HOUR / 4, week: HOUR, month: HOUR }
const VOID = 4
const REJECTED = 3

/** An order and its result, with the times at which the database stored both. */
interface Stake {
  readonly stake: number
  readonly openedAt: number
  readonly storedAt: number
  endedAt: number
  settledAt: number
  net: number
  isVoid: boolean
}

export interface RefusedRequest {
  readonly code: string
  readonly stake: number
  readonly from: number
  readonly until: number
}

/**
 * Checks the limits of one user from their requests and from stored orders and deposits: nothing is accepted above a
 * limit, and nothing is refused that fits.
 */
export class LimitAudit {
  readonly #complain: (what: string) => void
  readonly #histories: ReadonlyMap<LimitKey, LimitHistory>
  readonly #stakes = new Map<string, Stake>()
  readonly #deposits = new Map<string, { readonly at: number; readonly credited: number; isRejected: boolean }>()
  readonly #refused: RefusedRequest[] = []
  /** The times of the stored marks. A window begins at one of these times, or a little later. */
  readonly #marksAt: number[] = []

  constructor(complain: (what: string) => void) {
    this.#complain = complain
    this.#histories = new Map(LIMIT_KEYS.map((key) => [key, new LimitHistory(complain)]))
  }

  changed(request: LimitRequest): void {
    this.#histories.get(request.key)?.changed(request)
  }

  ended(end: LimitRequest & { readonly code: string }): void {
    this.#histories.get(end.key)?.ended(end)
  }

  refused(request: RefusedRequest): void {
    this.#refused.push(request)
  }

  marksKept(at: number): void {
    this.#marksAt.push(at)
  }

  /** Reads one row of the user, in the order of the commits. All requests up to its time must be known. */
  see(row: SeenRow): void {
    const { table, at, before, after } = row
    if (table === 'self_limit') return this.#seeLimit(row)
    if (after === null) return
    if (table === 'open_order') return before === null ? this.#open(at, after) : undefined
    if (table === 'order_history') {
      const own = this.#stakes.get(textIn(after, 'id'))
      if (own === undefined || before !== null) return
      own.endedAt = at
      own.settledAt = Number(after['settled_ms'])
      own.net = Number(after['result_amount'])
      own.isVoid = after['result'] === VOID
    }
    if (table === 'deposit') this.#deposit(after, before === null ? at : null)
  }

  /** Checks the refusals. All rows up to now must have been read. */
  checkRefused(): void {
    for (const { code, stake, from, until } of this.#refused.splice(0)) {
      const isOf = (key: LimitKey) =>
        code === 'self_stake_max' ? key === 'stake_max' : key.startsWith(code === 'self_loss_limit' ? 'loss' : 'staked')
      if (!/^self_(stake_max|loss_limit|staked_limit)$/.test(code)) continue
      const moments = [from, until, ...this.#all().flatMap(({ storedAt, endedAt }) => [storedAt, endedAt])]
      const isJust = LIMIT_KEYS.filter(isOf).some((key) =>
        this.#possible(key, from, until).some((value) =>
          moments.some(
            (at) => at >= from && at <= until && this.#uses(key, at, at).some((used) => used + stake > value),
          ),
        ),
      )
      if (!isJust) this.#complain(`an order of ${stake} was refused with ${code} although it fits`)
    }
  }

  #open(at: number, row: NonNullable<SeenRow['after']>): void {
    const [stake, openedAt] = [Number(row['stake']), Number(row['opened_ms'])]
    for (const key of LIMIT_KEYS) {
      if (key.startsWith('deposit')) continue
      const [lenient, isNone] = this.#lenient(key, at)
      if (isNone || this.#uses(key, openedAt, at).some((used) => used + stake <= lenient)) continue
      this.#complain(`an order of ${stake} was accepted above ${key} of ${lenient}`)
    }
    const never = { endedAt: Infinity, settledAt: Infinity, net: 0, isVoid: false }
    this.#stakes.set(textIn(row, 'id'), { stake, openedAt, storedAt: at, ...never })
  }

  #deposit(row: NonNullable<SeenRow['after']>, insertedAt: number | null): void {
    const id = textIn(row, 'id')
    const [at, credited] = [Number(row['created_ms']), Number(row['credited'])]
    const isRejected = row['status'] === REJECTED
    const known = this.#deposits.get(id)
    if (known !== undefined) known.isRejected = isRejected
    if (insertedAt === null) return
    for (const key of LIMIT_KEYS) {
      if (!key.startsWith('deposit')) continue
      const [lenient, isNone] = this.#lenient(key, insertedAt)
      const since = insertedAt - windowOf(key)
      const earlier = [...this.#deposits.values()].filter((one) => !one.isRejected && one.at > since)
      const sum = earlier.reduce((total, one) => total + one.credited, credited)
      if (!isNone && sum > lenient) this.#complain(`a deposit of ${credited} was taken above ${key} of ${lenient}`)
    }
    this.#deposits.set(id, { at, credited, isRejected })
  }

  /** Checks that a limit in force grows or goes only when its user confirmed this. */
  #seeLimit({ at, before, after }: SeenRow): void {
    const key = (after ?? before)?.['key'] as LimitKey
    if (!LIMIT_KEYS.includes(key)) return
    const value = after === null ? null : Number(after['amount'])
    if (this.#histories.get(key)?.possible(at, at).includes(value) === true) return
    this.#complain(`${key} became ${value}, which its user has not confirmed`)
  }

  /** Returns the highest limit that may be in force at `at`, and whether there may be no limit. */
  #lenient(key: LimitKey, at: number): [number, boolean] {
    const values = this.#histories.get(key)?.possible(at, at) ?? []
    return [Math.max(...values.map((value) => value ?? 0)), values.includes(null)]
  }

  #possible(key: LimitKey, from: number, until: number): number[] {
    const values = this.#histories.get(key)?.possible(from, until) ?? []
    return values.flatMap((value) => (value === null ? [] : [value]))
  }

  /** How much of a limit is used, for each moment at which its window may begin. */
  #uses(key: LimitKey, openedAt: number, at: number): number[] {
    if (key === 'stake_max') return [0]
    const all = this.#all().filter(({ storedAt }) => storedAt <= at)
    const open = all.filter(({ endedAt }) => endedAt > at).reduce((sum, { stake }) => sum + stake, 0)
    const settled = all.filter(({ endedAt }) => endedAt <= at)
    const start = openedAt - windowOf(key)
    const earliest = this.#earliestStart(start, SLACK[key.split('_')[1] ?? ''] ?? 0)
    const earlier = settled.map(({ settledAt }) => settledAt - 1).filter((time) => time >= earliest && time < start)
    return [start, ...earlier].map((since) => {
      const counted = settled.filter(({ settledAt }) => settledAt > since)
      if (key.startsWith('loss')) return open + Math.max(0, -counted.reduce((sum, { net }) => sum + net, 0))
      return open + counted.reduce((sum, { stake, isVoid }) => sum + (isVoid ? 0 : stake), 0)
    })
  }

  #earliestStart(start: number, slack: number): number {
    const latest = start - slack
    return Math.min(latest, this.#marksAt.findLast((at) => at <= latest) ?? latest)
  }

  #all(): Stake[] {
    return [...this.#stakes.values()]
  }
}

function windowOf(key: LimitKey): number {
  return WINDOWS[key.split('_')[1] ?? ''] ?? 0
}
