import type { PayoutRow, TradeTermsRow } from '#contract/back-office/trade-terms.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { nextPayout, payoutAt } from '#core/markets/payout-versions.ts'
import { basisPoints, money, moneyNumber, percentNumber } from '#core/money/money.ts'
import { unitOfSeconds } from '#core/orders/order-unit.ts'
import { ok } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { announcePayout } from '#server/market-data/catalogue/announce-payout.ts'
import { addTradeTerms, editTradeTerms } from '#server/market-data/catalogue/edit-trade-terms.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { addQuickAmount, changeQuickAmount, removeQuickAmount } from '#server/market-data/catalogue/quick-amounts.ts'
import {
  listPayouts,
  listQuickAmounts,
  listTerms,
  payoutsOf,
  type TermsRow,
} from '#server/market-data/catalogue/trade-terms.queries.ts'
import { toPayoutVersion } from '#server/market-data/catalogue/trade-terms.ts'
import type { Settings } from '#server/settings/site-settings.ts'

interface StaffTermsParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly settings: Settings
}

/**
 * Registers the calls for trade terms (durations, stakes, payouts) and quick amounts. All apply to every user alike.
 */
export function staffTradeTermsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, catalogue, settings }: StaffTermsParts,
): void {
  registerList(staffCalls.staffTradeTerms, async ({ after, limit }) => {
    const terms = await listTerms(ctx.db, after === null ? null : Number(after[0]), limit)
    const payouts = await payoutsOf(ctx.db, terms)
    return terms.map((one) => ({ row: toTermsRow(one, payouts.get(one.id) ?? []), cursor: [one.seconds] }))
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
      row: toPayoutRow(row, all.get(row.trade_setting_id) ?? []),
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
  registerList(staffCalls.staffQuickAmounts, async ({ after, limit }) => {
    const amounts = await listQuickAmounts(ctx.db, after === null ? null : BigInt(String(after[0])), limit)
    return amounts.map(({ id, amount, version }) => ({
      row: { id, amount: moneyNumber(money(amount)), version },
      cursor: [String(amount)],
    }))
  })
  register(staffCalls.staffAddQuickAmount, async ({ body: { amount }, actor }) =>
    addQuickAmount(ctx, catalogue, { amount, actor }),
  )
  register(staffCalls.staffChangeQuickAmount, async ({ params: { id }, body, actor }) =>
    changeQuickAmount(ctx, catalogue, { id, ...body, actor }),
  )
  register(staffCalls.staffRemoveQuickAmount, async ({ params: { id }, body: { version }, actor }) =>
    removeQuickAmount(ctx, catalogue, { id, version, actor }),
  )

  function toTermsRow(terms: TermsRow, payouts: readonly StoredPayout[]): TradeTermsRow {
    const versions = payouts.map(toPayoutVersion)
    const now = ctx.now()
    const next = nextPayout(versions, now)
    return {
      id: terms.id,
      seconds: terms.seconds,
      unit: unitOfSeconds(terms.seconds),
      min_amount: moneyNumber(money(terms.min_amount)),
      max_amount: moneyNumber(money(terms.max_amount)),
      is_offered: terms.is_offered,
      payout: percentNumber(payoutAt(versions, now)?.payout ?? basisPoints(0)),
      payout_version: Math.max(0, ...versions.map(({ version }) => version)),
      next_payout: next && percentNumber(next.payout),
      next_payout_at: next && toIso(next.appliesFrom),
      version: terms.version,
    }
  }

  function toPayoutRow(row: ListedPayout, all: readonly StoredPayout[]): PayoutRow {
    const versions = all.map(toPayoutVersion)
    const now = ctx.now()
    return {
      terms: row.trade_setting_id,
      seconds: row.seconds,
      version: row.version,
      payout: percentNumber(basisPoints(row.profit_basis_points)),
      state: stateOf(row, all, payoutAt(versions, now)?.version ?? 0, now),
      applies_from: toIso(instant(row.applies_from_ms)),
      announced_at: toIso(instant(row.announced_ms)),
      who: row.who,
    }
  }
}

type ListedPayout = Awaited<ReturnType<typeof listPayouts>>[number]
type StoredPayout = Omit<ListedPayout, 'seconds'>

function stateOf(row: StoredPayout, all: readonly StoredPayout[], inForce: number, now: number): PayoutRow['state'] {
  if (row.version === inForce) return 'in-force'
  const isReplaced = all.some((one) => one.version > row.version && one.applies_from_ms <= row.applies_from_ms)
  if (isReplaced) return 'replaced'
  return row.applies_from_ms > BigInt(now) ? 'coming' : 'past'
}

function toBasisPoints(percent: number) {
  return basisPoints(Math.round(percent * 100))
}
