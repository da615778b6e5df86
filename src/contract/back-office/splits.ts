import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'
import { MAX_SPLIT_SHARES } from '#core/markets/splits/splits.ts'

const Version = z.number().int()
const Code = z.string().max(20)
const Shares = z.number().int().min(1).max(MAX_SPLIT_SHARES)

const SplitRow = z.object({
  code: z.string(),
  /** The first New York trading day on which the stock trades at prices after the split. */
  trading_day: z.iso.date(),
  version: Version,
  new_shares: Shares,
  old_shares: Shares,
  /** `withdrawn`: the newest version cancels the split. */
  state: z.enum(['coming', 'in-force', 'replaced', 'withdrawn']),
  effective_at: IsoTime,
  /** Null when the split ships with the product. */
  announced_at: IsoTime.nullable(),
  source: z.string(),
  who: z.string(),
})
export type SplitRow = z.output<typeof SplitRow>

export const staffSplits = defineStaffList({
  path: '/admin/markets/splits',
  may: 'markets.see',
  summary: 'Every announced or shipped stock split, newest first.',
  filters: { code: optionalFilter(Code) },
  row: SplitRow,
})

export const staffAnnounceSplit = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/symbols/:code/split',
  may: 'markets.edit',
  summary:
    'Announces a stock split, with the notice of trade terms. A later version for the same day replaces it, and one share for one withdraws it.',
  params: z.object({ code: Code }),
  body: z.object({
    split_version: Version,
    trading_day: z.iso.date(),
    new_shares: Shares,
    old_shares: Shares,
    source: z.string().trim().min(1).max(300),
  }),
  reply: z.object({ split_version: Version, effective_at: IsoTime }),
  refusals: [
    'not_found',
    'changed_meanwhile',
    'split_not_stock',
    'split_simulated',
    'split_no_session',
    'split_too_soon',
    'split_too_late',
  ],
})
