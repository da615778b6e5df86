import { sql } from 'kysely'
import type { ClosureRow, MarketHoursOut } from '#contract/back-office/market-hours.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calendarEntries } from '#core/markets/calendar/calendar-entries.ts'
import { MARKET_TYPES, type MarketType, readMarketType } from '#core/markets/market.ts'
import { assert, ok, refuse } from '#core/result.ts'
import { DAY_MS, instant, type Instant, later, toIso } from '#core/time/instant.ts'
import type { Cursor } from '#server/platform/database/cursor.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { closeMarket } from '#server/market-data/hours/close-market.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { marketHours } from '#server/market-data/hours/market-status.ts'
import { cancelClosure, planClosure } from '#server/market-data/hours/plan-closure.ts'

interface StaffHoursParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
}

/**
 * Registers the calls for market hours. The calendar is computed. Staff can only close a market, now or later, and
 * cancel the closure.
 */
export function staffMarketHoursRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, catalogue }: StaffHoursParts,
): void {
  register(staffCalls.staffMarketHours, async ({ query: { days } }) => {
    const rows = await ctx.db.selectFrom('market_closure').selectAll().execute()
    const byType = new Map(rows.map((row) => [row.market_type, row]))
    return ok({ markets: MARKET_TYPES.map((marketType) => toHours(marketType, byType.get(marketType), days)) })
  })
  register(staffCalls.staffCloseMarket, async ({ params: { type }, body: { version, words }, actor }) => {
    if (words === '') return refuse('words_needed')
    const done = await closeMarket(ctx, catalogue, { marketType: type, reason: words, seenVersion: version, actor })
    return done.ok ? ok(null) : done
  })
  register(staffCalls.staffOpenMarket, async ({ params: { type }, body: { version }, actor }) => {
    const done = await closeMarket(ctx, catalogue, { marketType: type, reason: null, seenVersion: version, actor })
    return done.ok ? ok(null) : done
  })
  registerList(staffCalls.staffClosures, async ({ after, limit }) => {
    const closures = await listClosures(after, limit)
    return closures.map((row) => ({ row: toClosure(row), cursor: [Number(row.from_ms), row.id] }))
  })
  register(staffCalls.staffPlanClosure, async ({ body: { market_type: marketType, from, to, words }, actor }) => {
    if (words === '') return refuse('words_needed')
    return planClosure(ctx, catalogue, { marketType, from: read(from), to: read(to), reason: words, actor })
  })
  register(staffCalls.staffCancelClosure, async ({ params: { id }, actor }) =>
    cancelClosure(ctx, catalogue, { id, actor }),
  )

  function toHours(
    marketType: MarketType,
    closure: { readonly reason: string | null; readonly since_ms: bigint; readonly version: number } | undefined,
    days: number,
  ): MarketHoursOut {
    const now = ctx.now()
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

  async function listClosures(after: Cursor | null, limit: number) {
    return await ctx.db
      .selectFrom('market_exception')
      .selectAll()
      .$if(after !== null, (all) => {
        const [from, id] = after ?? []
        return all.where(sql<boolean>`(from_ms, id) < (${Number(from)}::int8, ${String(id)}::uuid)`)
      })
      .orderBy('from_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  }

  function toClosure(row: Awaited<ReturnType<typeof listClosures>>[number]): ClosureRow {
    const marketType = readMarketType(row.market_type)
    assert(marketType, 'a closure is of a kind of market we have')
    const now = BigInt(ctx.now())
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
}

function read(iso: string): Instant {
  return instant(Date.parse(iso))
}
