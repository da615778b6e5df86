import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { stakeCeiling } from '#core/markets/terms/offered-terms.ts'
import { MIN_NOTICE_MS, type Mode } from '#core/markets/terms/terms-limits.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import { ok } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { comingTerms, toTermsRow } from '#server/back-office/markets/trade-terms-reply.ts'
import { announceTerms } from '#server/market-data/catalogue/announce-terms.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { listDurations } from '#server/market-data/catalogue/terms.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

interface StaffTermsParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly mode: Mode
}

/** Registers the calls for trade terms. All terms apply to every user, and every change is announced. */
export function staffTradeTermsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, catalogue, mode }: StaffTermsParts,
): void {
  registerList(staffCalls.staffTradeTerms, async ({ after, limit }) => {
    const durations = await listDurations(ctx.db, after === null ? null : Number(after[0]), limit)
    return durations.map((one) => ({ row: toTermsRow(one, catalogue.terms, ctx.now()), cursor: [one.seconds] }))
  })
  register(staffCalls.staffTermsState, async () => {
    const now = ctx.now()
    const { terms } = catalogue
    return ok({
      newest_n: terms.newest?.n ?? 0,
      notice_ms: terms.noticeMs(now, MIN_NOTICE_MS[mode]),
      ceiling: moneyNumber(money(stakeCeiling(terms, now))),
      coming: comingTerms(terms, now),
    })
  })
  register(staffCalls.staffAnnounceTerms, async ({ body, actor }) => {
    const announced = await announceTerms(
      ctx,
      { catalogue, mode },
      {
        what: body.what,
        of: body.of,
        value: body.value,
        appliesAt: body.applies_at === null ? null : instant(Date.parse(body.applies_at)),
        seenN: body.seen_n,
        actor,
      },
    )
    if (!announced.ok) return announced
    return ok({ n: announced.value.n, applies_at: toIso(announced.value.appliesAt) })
  })
}
