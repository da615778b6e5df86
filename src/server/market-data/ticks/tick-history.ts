import { type LogLine, linesOfSymbol } from '#core/markets/log-text.ts'
import type { Tick } from '#core/markets/tick.ts'
import { later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import {
  type LogHead,
  loggedTicks,
  payloadsBetween,
  readHead,
} from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { SymbolStates } from '#server/market-data/ticks/symbol-states.ts'

/** How far a lookup around an instant searches for a tick on either side, near first. Ticks further away decide nothing. */
const LOOK_MS = [30 * SECOND_MS, 10 * MINUTE_MS] as const

/** Finds accepted ticks: in memory where it reaches far enough back, else in the log. */
export class TickHistory {
  readonly #db: Db
  readonly #states: SymbolStates

  constructor(db: Db, states: SymbolStates) {
    this.#db = db
    this.#states = states
  }

  /** See `Ticks.aroundInstant`. */
  async aroundInstant(symbolId: number, at: Instant): Promise<{ last: Tick | null; next: Tick | null }> {
    const ring = this.#states.get(symbolId)?.ring
    if (ring === undefined || ring.last === null) return { last: null, next: null }
    const near = ring.around(at)
    if (near.last !== null) return near
    let last: Tick | null = null
    let next: Tick | null = null
    for (const look of LOOK_MS) {
      const found = await loggedTicks(this.#db, later(at, -look), later(at, look), symbolId)
      last = found.findLast((tick) => tick.time <= at) ?? null
      next = found.find((tick) => tick.time > at) ?? null
      if (last !== null && next !== null) break
    }
    return { last, next }
  }

  /** See `Ticks.logLines`. */
  async logLines(symbolId: number, from: Instant, to: Instant): Promise<{ lines: LogLine[]; head: LogHead }> {
    const payloads = await payloadsBetween(this.#db, { from, to, hasLate: true })
    const lines = payloads.flatMap((payload) => linesOfSymbol(payload, symbolId))
    return { lines, head: await readHead(this.#db) }
  }

  /** See `Ticks.between`. */
  async between(symbolId: number, from: Instant, to: Instant, limit: number): Promise<Tick[]> {
    const ring = this.#states.get(symbolId)?.ring
    if (ring === undefined || limit <= 0) return []
    if (ring.reaches(from)) return ring.between(from, to, limit)
    return (await loggedTicks(this.#db, from, to, symbolId)).slice(-limit)
  }
}
