import type { MaintenanceRow } from '#contract/back-office/maintenance.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { MAINTENANCE_NOTICE_MS, maintenanceState } from '#core/markets/maintenance.ts'
import { ok, refuse } from '#core/result.ts'
import { type Instant, instant, later, MINUTE_MS, toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { countOpenOrders, listMaintenance } from '#server/back-office/maintenance/maintenance.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { endMaintenance, pauseTrading, planMaintenance } from '#server/market-data/hours/plan-maintenance.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { RunningEngine } from '#server/trading/engine/create-engine.ts'

interface MaintenanceParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly engine: Pick<RunningEngine, 'lastCheck'>
}

/**
 * Registers the calls that announce and end maintenances and pauses, in which no orders are accepted. They apply to
 * every user.
 */
export function maintenanceRoutes(register: RegisterStaff, { ctx, catalogue, engine }: MaintenanceParts): void {
  register(staffCalls.staffMaintenance, async () => {
    const now = ctx.now()
    const open = await countOpenOrders(ctx.db, now)
    const items = await listMaintenance(ctx.db, now)
    const check = engine.lastCheck()
    return ok({
      items: items.map((row) => toRow(row, now)),
      open_orders: open.running,
      waiting_orders: open.waiting,
      ledger: check === null ? 'unchecked' : check.clean ? 'clean' : 'broken',
      earliest: toIso(earliestStart(now, open.lastExpiry)),
    })
  })

  register(staffCalls.staffPlanMaintenance, async ({ body: { from, to, words }, actor }) => {
    if (words === '') return refuse('words_needed')
    const times = { from: instant(Date.parse(from)), to: instant(Date.parse(to)) }
    return planMaintenance(ctx, catalogue, { ...times, words, actor })
  })

  register(staffCalls.staffPauseTrading, async ({ body: { words }, actor }) =>
    words === '' ? refuse('words_needed') : pauseTrading(ctx, catalogue, { words, actor }),
  )

  register(staffCalls.staffEndMaintenance, async ({ params: { id }, actor }) =>
    endMaintenance(ctx, catalogue, { id, actor }),
  )
}

/**
 * Returns the earliest start of a maintenance: the first whole minute with enough notice, and not before the last open
 * order expires.
 */
function earliestStart(now: Instant, lastExpiry: Instant | null): Instant {
  // One minute more than the notice, because staff need time to fill in the form.
  const first = Math.max(later(now, MAINTENANCE_NOTICE_MS + MINUTE_MS), lastExpiry ?? now)
  return instant(Math.ceil(first / MINUTE_MS) * MINUTE_MS)
}

function toRow(row: Awaited<ReturnType<typeof listMaintenance>>[number], now: Instant): MaintenanceRow {
  const from = instant(row.from_ms)
  const to = row.to_ms === null ? null : instant(row.to_ms)
  const endAt = row.ended_ms === null ? null : instant(row.ended_ms)
  return {
    id: row.id,
    from: toIso(from),
    to: to === null ? null : toIso(to),
    words: row.words,
    state: maintenanceState({ from, to, endAt }, now),
    ended_at: endAt === null ? null : toIso(endAt),
    who: row.who,
  }
}
