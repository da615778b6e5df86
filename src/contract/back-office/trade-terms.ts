import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IdIn, IsoTime, MoneyIn, MoneyOut } from '#contract/wire.ts'

const Version = z.number().int()
const Saved = z.object({ version: Version })
const Id = z.object({ id: IdIn })

const TradeTermsRow = z.object({
  id: z.number().int(),
  seconds: z.number().int(),
  unit: z.enum(['minute', 'hour', 'day']),
  min_amount: MoneyOut,
  max_amount: MoneyOut,
  is_offered: z.boolean(),
  /** The payout in force now, in percent. */
  payout: z.number(),
  /** The version of the newest published payout, which may not be in force yet. */
  payout_version: Version,
  next_payout: z.number().nullable(),
  next_payout_at: IsoTime.nullable(),
  version: Version,
})
export type TradeTermsRow = z.output<typeof TradeTermsRow>

export const staffTradeTerms = defineStaffList({
  path: '/admin/markets/terms',
  may: 'markets.see',
  summary: 'Lengths of orders with their stakes and payouts, the shortest first.',
  filters: {},
  row: TradeTermsRow,
})

/** 10 seconds to one week. */
const Seconds = z.number().int().min(10).max(604_800)
/** Percent with at most two decimals. It applies to all users: no other field sets a payout. */
const Payout = z.number().min(1).max(200).multipleOf(0.01)

export const staffAddTradeTerms = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/terms/add',
  may: 'markets.edit',
  summary: 'Offers a new length of orders.',
  body: z.object({ seconds: Seconds, min_amount: MoneyIn, max_amount: MoneyIn, payout: Payout }),
  reply: z.object({ id: z.number().int() }),
  refusals: ['length_taken', 'stakes_crossed'],
})

export const staffEditTradeTerms = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/terms/:id/edit',
  may: 'markets.edit',
  summary: 'Length, stakes and whether it is offered, for new orders. Those that are open keep what they have.',
  params: Id,
  body: z.object({
    version: Version,
    seconds: Seconds,
    min_amount: MoneyIn,
    max_amount: MoneyIn,
    is_offered: z.boolean(),
  }),
  reply: Saved,
  refusals: ['not_found', 'changed_meanwhile', 'length_taken', 'stakes_crossed'],
})

const PayoutRow = z.object({
  terms: z.number().int(),
  seconds: z.number().int(),
  version: Version,
  payout: z.number(),
  state: z.enum(['coming', 'in-force', 'past', 'replaced']),
  applies_from: IsoTime,
  announced_at: IsoTime,
  who: z.string(),
})
export type PayoutRow = z.output<typeof PayoutRow>

export const staffPayouts = defineStaffList({
  path: '/admin/markets/payouts',
  may: 'markets.see',
  summary: 'Every payout that was announced, for one length of orders or all, newest first.',
  filters: { terms: optionalFilter(IdIn) },
  row: PayoutRow,
})

export const staffPayoutNotice = defineStaffCall({
  method: 'GET',
  path: '/admin/markets/payout-notice',
  may: 'markets.see',
  summary: 'How long ahead a payout has to be announced, in seconds.',
  reply: z.object({ seconds: z.number().int() }),
  refusals: [],
})

export const staffAnnouncePayout = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/terms/:id/payout',
  may: 'markets.edit',
  summary:
    'Announces a payout for new orders of everyone. It counts from `applies_at`, or as soon as the notice allows.',
  params: Id,
  body: z.object({ payout_version: Version, payout: Payout, applies_at: z.iso.datetime().nullable() }),
  reply: z.object({ payout_version: Version, applies_at: IsoTime }),
  refusals: ['not_found', 'changed_meanwhile', 'payout_too_soon', 'payout_too_late'],
})

const QuickAmount = z.object({ id: z.number().int(), amount: MoneyOut, version: Version })

export const staffQuickAmounts = defineStaffList({
  path: '/admin/markets/quick-amounts',
  may: 'markets.see',
  summary: 'The stakes on the buttons of the order form, smallest first.',
  filters: {},
  row: QuickAmount,
})

export const staffAddQuickAmount = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/quick-amounts/add',
  may: 'markets.edit',
  summary: 'One more button.',
  body: z.object({ amount: MoneyIn }),
  reply: z.object({ id: z.number().int() }),
  refusals: ['amount_taken', 'too_many_amounts', 'amount_invalid'],
})

export const staffChangeQuickAmount = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/quick-amounts/:id/change',
  may: 'markets.edit',
  summary: 'Another amount on a button.',
  params: Id,
  body: z.object({ version: Version, amount: MoneyIn }),
  reply: Saved,
  refusals: ['not_found', 'changed_meanwhile', 'amount_taken', 'amount_invalid'],
})

export const staffRemoveQuickAmount = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/quick-amounts/:id/remove',
  may: 'markets.edit',
  summary: 'Takes a button away.',
  params: Id,
  body: z.object({ version: Version }),
  reply: z.null(),
  refusals: ['not_found', 'changed_meanwhile'],
})
