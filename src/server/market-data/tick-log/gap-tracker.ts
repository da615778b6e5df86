import { nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketSymbol, MarketType } from '#core/markets/market.ts'
import { MINUTE_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Gap, insertGap } from '#server/market-data/tick-log/gap.queries.ts'

/** A silence is a gap when it lasts four times the maximum price age, and a minute at least. */
const TIMES_TICK_AGE = 4
const MIN_GAP_MS = MINUTE_MS

type Followed = Pick<MarketSymbol, 'id' | 'marketType' | 'maxTickAgeMs'>

/**
 * Detects missed prices of a symbol: neither a tick nor a heartbeat came while its market was open, because its sources or this server were
 * down. A gap is known when the next tick or heartbeat arrives. A source that reports "nothing new" leaves no gap.
 */
export class GapTracker {
  private readonly ctx: Pick<Ctx, 'db' | 'log' | 'now'>
  private readonly onGap: (gap: Gap) => void
  private readonly mayWrite: () => boolean
  private readonly trackedSymbols = new Map<number, { readonly symbol: Followed; time: Instant }>()
  private writing: Promise<void> = Promise.resolve()

  constructor(ctx: Pick<Ctx, 'db' | 'log' | 'now'>, onGap: (gap: Gap) => void, mayWrite: () => boolean) {
    this.ctx = ctx
    this.mayWrite = mayWrite
    this.onGap = onGap
  }

  /** Expects prices of the symbol from `since` on. */
  track(symbol: Followed, since: Instant): void {
    this.trackedSymbols.set(symbol.id, { symbol, time: since })
  }

  /** Notes an accepted tick or heartbeat. */
  advance(symbolId: number, time: Instant): void {
    const known = this.trackedSymbols.get(symbolId)
    if (known === undefined || time <= known.time) return
    const { symbol, time: from } = known
    known.time = time
    if (!isSilence(symbol, from, time)) return
    const gap = { symbolId, from, until: time }
    this.ctx.log.warn({ symbolId, from, until: time }, 'prices were missed')
    if (this.mayWrite()) this.writing = this.writing.then(() => this.write(gap))
    this.onGap(gap)
  }

  async stop(): Promise<void> {
    await this.writing
  }

  private async write(gap: Gap): Promise<void> {
    try {
      await insertGap(this.ctx.db, gap, this.ctx.now())
    } catch (error) {
      // The gap is kept in memory until the next start. After the next start, its mark is missing in the chart.
      this.ctx.log.warn({ err: error, ...gap }, 'a gap in the prices could not be stored')
    }
  }
}

/** How long a symbol may be silent before the silence counts as a gap. */
export function silenceLimitMs({ maxTickAgeMs }: Pick<MarketSymbol, 'maxTickAgeMs'>): number {
  return Math.max(TIMES_TICK_AGE * maxTickAgeMs, MIN_GAP_MS)
}

/** Whether a symbol was silent for too long between two moments while its market was open. */
export function isSilence(
  symbol: Pick<MarketSymbol, 'marketType' | 'maxTickAgeMs'>,
  from: Instant,
  until: Instant,
): boolean {
  const limit = silenceLimitMs(symbol)
  return until - from > limit && openMs(symbol.marketType, from, until, limit) > limit
}

/** How long a market was open in a time range. Stops counting once it exceeds `enough`. */
function openMs(marketType: MarketType, from: Instant, until: Instant, enough: number): number {
  let open = 0
  for (let at = from; at < until && open <= enough; ) {
    const session = nextSession(marketType, at)
    const begins = Math.max(at, session.open)
    if (begins >= until) break
    open += Math.min(session.close, until) - begins
    at = session.close
  }
  return open
}
