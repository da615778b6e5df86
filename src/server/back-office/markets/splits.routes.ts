import type { SplitRow } from '#contract/back-office/splits.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { civilDayText, readCivilDay } from '#core/markets/calendar/civil-day.ts'
import { MIN_NOTICE_MS, type Mode } from '#core/markets/terms/terms-limits.ts'
import { ok, refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { announceSplit } from '#server/market-data/catalogue/announce-split.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { listSplits } from '#server/market-data/catalogue/splits.queries.ts'

interface StaffSplitsParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly mode: Mode
}

/** Registers the calls for stock splits: list known splits and announce new splits. No call sets a price. */
export function staffSplitsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, catalogue, mode }: StaffSplitsParts,
): void {
  registerList(staffCalls.staffSplits, async ({ filters: { code }, after, limit }) => {
    const rows = await listSplits(ctx.db, code ?? null, after, limit)
    return rows.map((row) => ({
      row: toRow(row),
      cursor: [Number(row.announced_ms), row.symbol_id, row.trading_day, row.version],
    }))
  })
  register(staffCalls.staffAnnounceSplit, async ({ params: { code }, body, actor }) => {
    const day = readCivilDay(body.trading_day)
    if (day === null) return refuse('split_no_session')
    const announced = await announceSplit(ctx, catalogue, {
      code,
      day,
      seenVersion: body.split_version,
      newShares: body.new_shares,
      oldShares: body.old_shares,
      source: body.source,
      noticeMs: catalogue.terms.noticeMs(ctx.now(), MIN_NOTICE_MS[mode]),
      actor,
    })
    if (!announced.ok) return announced
    return ok({ split_version: announced.value.version, effective_at: toIso(announced.value.effectiveAt) })
  })

  function toRow(row: Awaited<ReturnType<typeof listSplits>>[number]): SplitRow {
    return {
      code: row.code,
      trading_day: civilDayText(row.trading_day),
      version: row.version,
      new_shares: row.new_shares,
      old_shares: row.old_shares,
      state: stateOf(row),
      effective_at: toIso(instant(row.effective_ms)),
      announced_at: row.announced_ms === 0n ? null : toIso(instant(row.announced_ms)),
      source: row.source,
      who: row.who,
    }
  }

  function stateOf(row: Awaited<ReturnType<typeof listSplits>>[number]): SplitRow['state'] {
    if (row.version !== row.newest) return 'replaced'
    if (row.new_shares === row.old_shares) return 'withdrawn'
    return row.effective_ms > BigInt(ctx.now()) ? 'coming' : 'in-force'
  }
}
