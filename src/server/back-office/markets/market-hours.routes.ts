import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { ok, refuse } from '#core/result.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { closeMarket } from '#server/market-data/hours/close-market.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { findManualClosures, listClosures } from '#server/back-office/markets/closures.queries.ts'
import { toClosureRow, toMarketHoursReply } from '#server/back-office/markets/market-hours-reply.ts'
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
    const closures = await findManualClosures(ctx.db)
    const facts = { catalogue, days, now: ctx.now() }
    const markets = MARKET_TYPES.map((type) => toMarketHoursReply(type, { ...facts, closure: closures.get(type) }))
    return ok({ markets })
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
    const closures = await listClosures(ctx.db, { after, limit })
    return closures.map((row) => ({ row: toClosureRow(row, ctx.now()), cursor: [Number(row.from_ms), row.id] }))
  })
  register(staffCalls.staffPlanClosure, async ({ body: { market_type: marketType, from, to, words }, actor }) => {
    if (words === '') return refuse('words_needed')
    return planClosure(ctx, catalogue, { marketType, from: read(from), to: read(to), reason: words, actor })
  })
  register(staffCalls.staffCancelClosure, async ({ params: { id }, actor }) =>
    cancelClosure(ctx, catalogue, { id, actor }),
  )
}

function read(iso: string): Instant {
  return instant(Date.parse(iso))
}
