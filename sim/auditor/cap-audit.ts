import type { Row } from '../memory-store/specs.ts'
import { partOf } from './expected-results.ts'

export interface CapAuditParts {
  readonly complain: (what: string) => void
  readonly now: () => number
  /**
   * The largest permitted sum of the profits of all open orders in one direction: on one symbol, and on all symbols.
   * Null without a cap.
   */
  readonly symbolCap: bigint | null
  readonly siteCap: bigint | null
}

/** An order that was refused because a cap was full, as its user knows it. */
export interface RefusedOrder {
  readonly direction: number
  readonly symbolId: number
  readonly profit: bigint
  readonly requestedAt: number
}

/**
 * 70 s: a minute, and 10 s of tolerance. If the server receives no event that an order has ended, it may count the
 * order against the caps for one more minute.
 */
const NOTICED_WITHIN_MS = 70_000

interface Moment {
  readonly at: number
  readonly symbol: bigint
  readonly site: bigint
}

/**
 * Checks caps from stored rows alone: no side is ever above its cap, and no order is refused while there is room for
 * it.
 */
export class CapAudit {
  readonly #parts: CapAuditParts
  readonly #open = new Map<string, Row>()
  /** The sums of the profits of open orders after each change, by symbol and direction. */
  readonly #past = new Map<string, Moment[]>()

  constructor(parts: CapAuditParts) {
    this.#parts = parts
  }

  opened(row: Row): void {
    if (!this.#isOn) return
    this.#open.set(String(row['id']), row)
    this.#note()
    const [direction, symbolId] = [Number(row['direction']), Number(row['symbol_id'])]
    const { symbol, site } = this.#sums(symbolId, direction)
    const { complain, symbolCap, siteCap } = this.#parts
    if (symbolCap !== null && symbol > symbolCap)
      complain(`I15: side ${direction} of symbol ${symbolId} could win ${symbol}, above its cap of ${symbolCap}`)
    if (siteCap !== null && site > siteCap)
      complain(`I15: side ${direction} of the site could win ${site}, above its cap of ${siteCap}`)
  }

  ended(row: Row): void {
    if (this.#open.delete(String(row['id']))) this.#note()
  }

  /**
   * Checks a refused order: at some moment from shortly before its request until now, a cap must have had no room for
   * it.
   */
  refused({ direction, symbolId, profit, requestedAt }: RefusedOrder): void {
    const { complain, symbolCap, siteCap } = this.#parts
    const isAbove = ({ symbol, site }: Omit<Moment, 'at'>) =>
      (symbolCap !== null && symbol + profit > symbolCap) || (siteCap !== null && site + profit > siteCap)
    const since = requestedAt - NOTICED_WITHIN_MS
    const past = this.#past.get(`${symbolId} ${direction}`) ?? []
    // The sums after the last change before `since` count as well, because they were still valid at `since`.
    const first = past.findLastIndex(({ at }) => at <= since)
    const wasFull = past.slice(Math.max(0, first)).some(isAbove) || isAbove({ symbol: 0n, site: 0n })
    if (!wasFull) complain(`I15: an order that would win ${profit} was refused although there was room for it`)
  }

  get #isOn(): boolean {
    return this.#parts.symbolCap !== null || this.#parts.siteCap !== null
  }

  #note(): void {
    const at = this.#parts.now()
    for (const symbolId of [1, 2]) {
      for (const direction of [1, 2]) {
        const key = `${symbolId} ${direction}`
        const past = this.#past.get(key) ?? []
        past.push({ at, ...this.#sums(symbolId, direction) })
        this.#past.set(key, past)
      }
    }
  }

  #sums(symbolId: number, direction: number): { symbol: bigint; site: bigint } {
    let [symbol, site] = [0n, 0n]
    for (const row of this.#open.values()) {
      if (Number(row['direction']) !== direction) continue
      const profit = partOf(row['stake'] as bigint, BigInt(Number(row['profit_basis_points'])), 10_000n)
      site += profit
      if (Number(row['symbol_id']) === symbolId) symbol += profit
    }
    return { symbol, site }
  }
}
