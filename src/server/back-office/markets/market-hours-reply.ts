import type { ClosureRow, MarketHoursOut } from '#contract/back-office/market-hours.ts'
import { calendarEntries } from '#core/markets/calendar/calendar-entries.ts'
import { type MarketType, readMarketType } from '#core/markets/market.ts'
import { assert } from '#core/result.ts'
import { DAY_MS, instant, type Instant, later, toIso } from '#core/time/instant.ts'
import type { listClosures } from '#server/back-office/markets/closures.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { marketHours } from '#server/market-data/hours/market-status.ts'

interface HoursFacts {
  readonly catalogue: MarketCatalogue
  readonly closure: { readonly reason: string | null; readonly since_ms: bigint; readonly version: number } | undefined
  /** Number of days of the calendar in the reply. */
  readonly days: number
  readonly now: Instant
}

export function toMarketHoursReply(
  marketType: MarketType,
  { catalogue, closure, days, now }: HoursFacts,
): MarketHoursOut {
  const { isOpen, opensAt, closesAt } = marketHours(catalogue, marketType, now)
  return {
    market_type: marketType,
    is_open: isOpen,
    opens_at: opensAt && toIso(opensAt),
    closes_at: closesAt && toIso(closesAt),
    closed_reason: closure?.reason ?? null,
    closed_since: closure && closure.reason !== null ? toIso(instant(closure.since_ms)) : null,
    version: closure?.version ?? 0,
    calendar: calendarEntries(marketType, now, later(now, days * DAY_MS)).map((entry) => ({
      kind: entry.kind,
      from: toIso(entry.from),
      to: toIso(entry.to),
    })),
  }
}

export function toClosureRow(row: Awaited<ReturnType<typeof listClosures>>[number], at: Instant): ClosureRow {
  const marketType = readMarketType(row.market_type)
  assert(marketType, 'a closure is of a kind of market we have')
  const now = BigInt(at)
  return {
    id: row.id,
    market_type: marketType,
    from: toIso(instant(row.from_ms)),
    to: toIso(instant(row.to_ms)),
    reason: row.reason,
    state: row.to_ms <= now ? 'over' : row.from_ms <= now ? 'going-on' : 'planned',
    who: row.who,
  }
}
