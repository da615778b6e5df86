import { z } from 'zod'
import { defineStaffCall, defineStaffList } from '#contract/back-office/staff-call.ts'
import { IdIn, IsoTime, PositiveMoneyIn, MoneyOut } from '#contract/wire.ts'
import { TERMS_PARTS } from '#core/markets/terms/terms-entry.ts'

const Version = z.number().int()
const Saved = z.object({ version: Version })
const Id = z.object({ id: IdIn })
const Part = z.enum(TERMS_PARTS)
/** Every part but the cap: staff change caps on the page that shows the exposure. */
const AnnouncedPart = Part.exclude(['cap'])

const TradeTermsRow = z.object({
  id: z.number().int(),
  seconds: z.number().int(),
  unit: z.enum(['minute', 'hour', 'day']),
  /** The terms in force now. Null when none were in force yet. */
  min_amount: MoneyOut.nullable(),
  max_amount: MoneyOut.nullable(),
  payout: z.number().nullable(),
  is_open: z.boolean(),
  /** Whether users can choose the duration: it is open, and its payout and both stake limits are in force. */
  is_offered: z.boolean(),
})
export type TradeTermsRow = z.output<typeof TradeTermsRow>

export const staffTradeTerms = defineStaffList({
  path: '/admin/markets/terms',
  may: 'markets.see',
  summary: 'All durations that ever existed, with their terms in force, the shortest first.',
  filters: {},
  row: TradeTermsRow,
})

const ComingTerms = z.object({
  n: z.number().int(),
  what: Part,
  of: z.string(),
  value: z.string(),
  applies_ms: z.number().int(),
})
export type ComingTerms = z.output<typeof ComingTerms>

export const staffTermsState = defineStaffCall({
  method: 'GET',
  path: '/admin/markets/terms/state',
  may: 'markets.see',
  summary: 'The notice and the ceiling in force, and all announced changes that do not apply yet.',
  reply: z.object({
    /** The number of the newest entry of the trade terms. An announcement sends it back as `seen_n`. */
    newest_n: z.number().int(),
    notice_ms: z.number().int(),
    ceiling: MoneyOut,
    coming: z.array(ComingTerms),
  }),
  refusals: [],
})

export const staffAnnounceTerms = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/terms/announce',
  may: 'markets.edit',
  summary: 'Announces a change of the trade terms for new orders of all users.',
  body: z.object({
    what: AnnouncedPart,
    /** The seconds of a duration, the code of a symbol, a market, or `all`. */
    of: z.string().regex(/^[A-Za-z0-9_]{1,20}$/),
    /**
     * The new value, whose meaning depends on `what`: a number of hundredths of a percent, cents or milliseconds, or a
     * word such as `open`. The terms of a sale have values such as `m1c90f400`: scale 90 %, fee 4 %.
     */
    value: z.string().regex(/^[a-z0-9]{1,20}$/),
    /** When the change applies. Null: at the earliest time that the notice period allows. */
    applies_at: z.iso.datetime().nullable(),
    seen_n: z.number().int(),
  }),
  reply: z.object({ n: z.number().int(), applies_at: IsoTime }),
  refusals: [
    'not_found',
    'changed_meanwhile',
    'notice_too_short',
    'terms_too_late',
    'terms_bounds',
    'above_ceiling',
    'stakes_crossed',
    'duration_known',
    'terms_not_logged',
    'sale_report_missing',
    'sale_days_missing',
    'sale_report_unfair',
    'sale_fee_low',
  ],
})

const QuickAmount = z.object({ id: z.number().int(), amount: MoneyOut, version: Version })

export const staffQuickAmounts = defineStaffList({
  path: '/admin/markets/quick-amounts',
  may: 'markets.see',
  summary: 'The quick amounts of the order form, smallest first.',
  filters: {},
  row: QuickAmount,
})

export const staffAddQuickAmount = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/quick-amounts/add',
  may: 'markets.edit',
  summary: 'Adds a quick amount.',
  body: z.object({ amount: PositiveMoneyIn }),
  reply: z.object({ id: z.number().int() }),
  refusals: ['amount_taken', 'too_many_amounts', 'amount_invalid', 'amount_not_positive'],
})

export const staffChangeQuickAmount = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/quick-amounts/:id/change',
  may: 'markets.edit',
  summary: 'Changes a quick amount.',
  params: Id,
  body: z.object({ version: Version, amount: PositiveMoneyIn }),
  reply: Saved,
  refusals: ['not_found', 'changed_meanwhile', 'amount_taken', 'amount_invalid', 'amount_not_positive'],
})

export const staffRemoveQuickAmount = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/quick-amounts/:id/remove',
  may: 'markets.edit',
  summary: 'Removes a quick amount.',
  params: Id,
  body: z.object({ version: Version }),
  reply: z.null(),
  refusals: ['not_found', 'changed_meanwhile'],
})
