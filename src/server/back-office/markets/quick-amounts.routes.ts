import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import {
  addQuickAmount,
  changeQuickAmount,
  listQuickAmounts,
  removeQuickAmount,
} from '#server/market-data/catalogue/quick-amounts.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** Registers the calls for the quick amounts that every user is offered. */
export function staffQuickAmountsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, catalogue }: { readonly ctx: Ctx; readonly catalogue: MarketCatalogue },
): void {
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
}
