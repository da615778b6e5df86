import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { basisPoints } from '#core/money/money.ts'
import { ok } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { announcePayout } from '#server/market-data/catalogue/announce-payout.ts'
import { addTradeTerms, editTradeTerms } from '#server/market-data/catalogue/edit-trade-terms.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { toPayoutRow, toTermsRow } from '#server/back-office/markets/trade-terms-reply.ts'
import { listPayouts, listTerms, payoutsOf } from '#server/market-data/catalogue/trade-terms.queries.ts'
import type { Settings } from '#server/settings/site-settings.ts'

interface StaffTermsParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly settings: Settings
}

/**
 * Registers the calls for trade terms: durations, stakes and payouts. All apply to every user alike.
 */
export function staffTradeTermsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, catalogue, settings }: StaffTermsParts,
): void {
  registerList(staffCalls.staffTradeTerms, async ({ after, limit }) => {
    const terms = await listTerms(ctx.db, after === null ? null : Number(after[0]), limit)
    const payouts = await payoutsOf(ctx.db, terms)
    return terms.map((one) => ({ row: toTermsRow(one, payouts.get(one.id) ?? [], ctx.now()), cursor: [one.seconds] }))
  })
  register(staffCalls.staffAddTradeTerms, async ({ body, actor }) => {
    const { seconds, min_amount: minimum, max_amount: maximum, payout } = body
    return addTradeTerms(ctx, catalogue, { seconds, minimum, maximum, payout: toBasisPoints(payout), actor })
  })
  register(staffCalls.staffEditTradeTerms, async ({ params: { id }, body, actor }) => {
    const { version, seconds, min_amount: minimum, max_amount: maximum, is_offered: isOffered } = body
    return editTradeTerms(ctx, catalogue, { id, version, seconds, minimum, maximum, isOffered, actor })
  })
  registerList(staffCalls.staffPayouts, async ({ filters: { terms }, after, limit }) => {
    const payouts = await listPayouts(ctx.db, terms ?? null, after, limit)
    const all = await payoutsOf(
      ctx.db,
      payouts.map((row) => ({ id: row.trade_setting_id })),
    )
    return payouts.map((row) => ({
      row: toPayoutRow(row, all.get(row.trade_setting_id) ?? [], ctx.now()),
      cursor: [Number(row.announced_ms), row.trade_setting_id, row.version],
    }))
  })
  register(staffCalls.staffPayoutNotice, async () => ok({ seconds: settings.current.payoutNoticeSeconds }))
  register(staffCalls.staffAnnouncePayout, async ({ params: { id }, body, actor }) => {
    const announced = await announcePayout(ctx, catalogue, {
      settingId: id,
      seenVersion: body.payout_version,
      payout: toBasisPoints(body.payout),
      appliesAt: body.applies_at === null ? null : instant(Date.parse(body.applies_at)),
      noticeSeconds: settings.current.payoutNoticeSeconds,
      actor,
    })
    if (!announced.ok) return announced
    return ok({ payout_version: announced.value.version, applies_at: toIso(announced.value.appliesFrom) })
  })
}

function toBasisPoints(percent: number) {
  return basisPoints(Math.round(percent * 100))
}
