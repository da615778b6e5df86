import type { MarketSymbol } from '#core/markets/market.ts'
import { MAX_TICK_DELAY_MS } from '#core/markets/tick.ts'
import { instant, later } from '#core/time/instant.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { CandleStore } from '#server/market-data/candles/candle-store.ts'
import type { CandleWriter } from '#server/market-data/candles/candle-writer.ts'
import { isOver, type LogCoverage } from '#server/market-data/tick-log/log-coverage.ts'
import { settledThrough } from '#server/market-data/tick-log/settled-through.queries.ts'
import { insertHoles, type TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'
import type { TickOrderGuard } from '#server/market-data/tick-log/tick-order-guard.ts'
import { restoreState, type RestoredState } from '#server/market-data/ticks/restore-state.ts'
import type { SymbolStates } from '#server/market-data/ticks/symbol-states.ts'

export interface SymbolRecoveryParts {
  readonly ctx: Ctx
  readonly states: SymbolStates
  readonly candles: CandleStore
  readonly writer: CandleWriter
  readonly coverage: LogCoverage
  readonly orderGuard: TickOrderGuard
  readonly isLeader: () => boolean
}

/** Reads the state of symbols back from the log, and prepares them before this server writes their prices. */
export class SymbolRecovery {
  readonly #parts: SymbolRecoveryParts

  constructor(parts: SymbolRecoveryParts) {
    this.#parts = parts
  }

  /** Restores the state in memory from the log and the stored candles. */
  async restore(symbols: readonly MarketSymbol[]): Promise<void> {
    const { ctx, states, coverage, orderGuard, isLeader } = this.#parts
    const restored = await this.#readBack(symbols)
    for (const [symbolId, found] of restored) {
      states.get(symbolId)?.restore(found)
      if (found.closedThrough !== null) orderGuard.remember(symbolId, found.closedThrough)
      for (const tick of found.ticks) orderGuard.remember(symbolId, tick.time)
    }
    for (const symbol of symbols) {
      const { holes = [], through = null } = restored.get(symbol.id) ?? {}
      coverage.know(symbol, holes, through ?? instant(0))
      if (!isLeader()) coverage.follow(symbol.id, through, ctx.now())
    }
  }

  /**
   * Keeps settled results final. An expiry may have been decided by a heartbeat, which is not in the log. After a
   * restart, a lagging source could otherwise add a tick before that expiry.
   */
  async rememberSettled(): Promise<void> {
    const { ctx, states, orderGuard } = this.#parts
    for (const [symbolId, expiresAt] of await settledThrough(ctx.db, states.ids, later(ctx.now(), -MAX_TICK_DELAY_MS)))
      orderGuard.remember(symbolId, later(expiresAt, 1))
  }

  /** Call when a server that followed the log becomes its writer. */
  async takeOver(fence: Fence): Promise<void> {
    const { states, writer } = this.#parts
    writer.flushHeld()
    await this.rememberSettled()
    await this.prepareWriting(states.followed, fence)
  }

  /** Call before this server writes prices of the symbols. Sources may send known ticks again. */
  async prepareWriting(symbols: readonly MarketSymbol[], fence: Fence | null): Promise<void> {
    const { ctx, candles, writer } = this.#parts
    // Bars that can get no more ticks are stored first, because a start reads back only the newest ticks.
    const old = symbols
      .map(({ id }) => this.#listen(id))
      .filter(({ symbolId, until }) => candles.hasEnded(symbolId, until))
    if (old.length === 0) return
    const holes = old.filter(isOver)
    if (holes.length > 0) await insertHoles(ctx.db, holes, fence)
    for (const { symbolId, until } of old) candles.closeThrough(symbolId, until)
    if (await writer.flush()) for (const { symbolId } of old) candles.forgetClosed(symbolId)
  }

  /** Reads stored candles again, after they were rebuilt. */
  async rereadCandles(symbols: readonly MarketSymbol[]): Promise<void> {
    await this.#parts.writer.flush()
    for (const [, { holes }] of await this.#readBack(symbols)) for (const hole of holes) this.#parts.coverage.note(hole)
  }

  /** Returns the range of time in which prices are certainly missing: later reports about this range are too late. */
  #listen(symbolId: number): TickHole {
    const { ctx, states, coverage, orderGuard } = this.#parts
    const state = states.get(symbolId)
    const minUntil = instant(Math.max(state?.closedThrough ?? 0, ctx.now() - MAX_TICK_DELAY_MS))
    const last = states.latest(symbolId)
    if (last !== null) orderGuard.expectRepeats(symbolId, states.ticksSince(symbolId, last.time))
    return coverage.listen(symbolId, { through: state?.through ?? null, minUntil, now: ctx.now() })
  }

  #readBack(symbols: readonly MarketSymbol[]): Promise<Map<number, RestoredState>> {
    const { ctx, states, candles, writer } = this.#parts
    return restoreState({
      ctx,
      symbols,
      series: (symbolId) => candles.of(symbolId),
      store: (closed) => writer.add(closed),
      newest: (symbolId) => states.ticksSince(symbolId, instant(0)),
    })
  }
}
