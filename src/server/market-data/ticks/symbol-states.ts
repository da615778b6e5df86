import type { MarketSymbol } from '#core/markets/market.ts'
import type { Split } from '#core/markets/splits/splits.ts'
import type { Tick } from '#core/markets/tick.ts'
import type { Instant } from '#core/time/instant.ts'
import type { SuspectReason } from '#server/market-data/feeds/base/feed.ts'
import { SymbolState } from '#server/market-data/ticks/symbol-state.ts'

const NO_TICKS: readonly Tick[] = []

/** The state of every symbol of this installation. */
export class SymbolStates {
  /** The symbols whose prices are followed. */
  readonly followed: MarketSymbol[]
  readonly #states = new Map<number, SymbolState>()
  readonly #splitsOf: (symbolId: number) => readonly Split[]

  constructor(symbols: readonly MarketSymbol[], splitsOf: (symbolId: number) => readonly Split[]) {
    this.followed = [...symbols]
    this.#splitsOf = splitsOf
    for (const { id } of symbols) this.create(id)
  }

  get ids(): number[] {
    return this.followed.map(({ id }) => id)
  }

  create(symbolId: number): void {
    this.#states.set(symbolId, new SymbolState(() => this.#splitsOf(symbolId)))
  }

  delete(symbolId: number): void {
    this.#states.delete(symbolId)
  }

  get(symbolId: number): SymbolState | undefined {
    return this.#states.get(symbolId)
  }

  latest(symbolId: number): Tick | null {
    return this.#states.get(symbolId)?.ring.last ?? null
  }

  ticksSince(symbolId: number, from: Instant): readonly Tick[] {
    return this.#states.get(symbolId)?.ticksSince(from) ?? NO_TICKS
  }

  /** The time of the newest tick of all symbols; minus infinity before the first. */
  newestTime(): number {
    let newest = Number.NEGATIVE_INFINITY
    for (const { ring } of this.#states.values()) newest = Math.max(newest, ring.last?.time ?? newest)
    return newest
  }

  watermarks(): (readonly [symbolId: number, time: Instant])[] {
    return [...this.#states].flatMap(([symbolId, { watermark }]) =>
      watermark === null ? [] : [[symbolId, watermark] as const],
    )
  }

  suspects(): (readonly [symbolId: number, why: SuspectReason])[] {
    return [...this.#states].flatMap(([symbolId, { suspect }]) =>
      suspect === null ? [] : [[symbolId, suspect.why] as const],
    )
  }

  /** Replaces all suspect flags. */
  setSuspects(suspects: readonly (readonly [symbolId: number, why: SuspectReason])[]): void {
    for (const state of this.#states.values()) state.suspect = null
    for (const [symbolId, why] of suspects) {
      const state = this.#states.get(symbolId)
      if (state !== undefined) state.suspect = { why }
    }
  }
}
