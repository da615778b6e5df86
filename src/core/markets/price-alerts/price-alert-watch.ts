import {
  advanceAlert,
  alertOnBasis,
  type AlertPlace,
  type AlertTick,
  eventPrices,
  type WatchedAlert,
} from '#core/markets/price-alerts/price-alert.ts'
import { hasSplitBetween, type Split } from '#core/markets/splits/splits.ts'
import { type Instant, instant } from '#core/time/instant.ts'

/** Returns the splits of a symbol, ascending. */
export type SplitsOf = (symbolId: number) => readonly Split[]

const NEVER: Instant = instant(Number.MAX_SAFE_INTEGER)

/** The running alerts of a symbol, with the nearest prices and the first expiry at which an alert can change. */
interface SymbolWatch {
  readonly alerts: Map<string, WatchedAlert>
  up: number
  down: number
  expiry: number
  /** The oldest basis of the alerts. A split after it may change their prices. */
  basisAt: Instant
  /** The newest tick of the symbol that was read. */
  last: AlertPlace | null
}

/**
 * Applies the ticks of the tick log to many alerts. A tick that changes no alert is compared only with the nearest
 * prices of its symbol, however many alerts exist.
 */
export class AlertWatch {
  readonly #symbols = new Map<number, SymbolWatch>()
  readonly #splitsOf: SplitsOf

  constructor(splitsOf: SplitsOf) {
    this.#splitsOf = splitsOf
  }

  /** Whether no alert is running. */
  get isEmpty(): boolean {
    return this.#symbols.size === 0
  }

  /** The lowest sequence number in the tick log after which any running alert needs ticks. Infinity without alerts. */
  firstSeq(): number {
    let first = Number.POSITIVE_INFINITY
    for (const { alerts } of this.#symbols.values())
      for (const { fromSeq } of alerts.values()) first = Math.min(first, fromSeq)
    return first
  }

  /** The newest tick that was read of each symbol with running alerts. */
  lastPlaces(): [symbolId: number, last: AlertPlace][] {
    return [...this.#symbols].flatMap(([symbolId, { last }]) => (last === null ? [] : [[symbolId, last]]))
  }

  /** Adds an alert, or replaces it. An alert that no longer runs is removed. */
  put(alert: WatchedAlert): void {
    const { id, symbolId } = alert
    const watch = this.#symbols.get(symbolId) ?? {
      alerts: new Map<string, WatchedAlert>(),
      up: 0,
      down: 0,
      expiry: 0,
      basisAt: NEVER,
      last: null,
    }
    if (alert.state === 'running') watch.alerts.set(id, alert)
    else watch.alerts.delete(id)
    this.#keep(symbolId, watch)
  }

  /** Restores the newest tick that another server has read of a symbol. */
  restore(symbolId: number, last: AlertPlace): void {
    const watch = this.#symbols.get(symbolId)
    if (watch !== undefined) watch.last = last
  }

  /** Applies the next tick of the log. Returns the alerts that it changed. */
  advance(tick: AlertTick): WatchedAlert[] {
    const watch = this.#symbols.get(tick.symbolId)
    if (watch === undefined) return []
    const { last } = watch
    watch.last = { seq: tick.seq, time: tick.time }
    const splits = this.#splitsOf(tick.symbolId)
    const isSplit = splits.length > 0 && hasSplitBetween(splits, watch.basisAt, tick.time)
    if (!isSplit && tick.price < watch.up && tick.price > watch.down && tick.time <= watch.expiry) return []
    const changed: WatchedAlert[] = []
    for (const alert of watch.alerts.values()) {
      const next = advanceAlert(alertOnBasis(alert, tick.time, splits), tick, last)
      if (next === alert) continue
      changed.push(next)
      if (next.state === 'running') watch.alerts.set(next.id, next)
      else watch.alerts.delete(next.id)
    }
    this.#keep(tick.symbolId, watch)
    return changed
  }

  #keep(symbolId: number, watch: SymbolWatch): void {
    if (watch.alerts.size === 0) this.#symbols.delete(symbolId)
    else this.#symbols.set(symbolId, watch)
    findNearest(watch)
  }
}

/** Finds the nearest prices, the first expiry and the oldest basis of a symbol's alerts. */
function findNearest(watch: SymbolWatch): void {
  watch.up = Number.POSITIVE_INFINITY
  watch.down = Number.NEGATIVE_INFINITY
  watch.expiry = Number.POSITIVE_INFINITY
  watch.basisAt = NEVER
  for (const alert of watch.alerts.values()) {
    const { up, down } = eventPrices(alert)
    watch.up = Math.min(watch.up, up)
    watch.down = Math.max(watch.down, down)
    watch.expiry = Math.min(watch.expiry, alert.expiresAt)
    if (alert.basis.time < watch.basisAt) watch.basisAt = alert.basis.time
  }
}
