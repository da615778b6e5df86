import { z } from 'zod'
import { defineStaffCall, defineStaffList } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'

const MarketTypeOut = z.enum(MARKET_TYPES)
const Version = z.number().int()
/** The reason shown to users. */
const Words = z.string().trim().max(300)

/** A session, or a day on which the exchange is closed. */
const CalendarEntry = z.object({
  kind: z.enum(['session', 'early-close', 'holiday']),
  from: IsoTime,
  to: IsoTime,
})
export type CalendarEntry = z.output<typeof CalendarEntry>

const MarketHoursOut = z.object({
  market_type: MarketTypeOut,
  is_open: z.boolean(),
  opens_at: IsoTime.nullable(),
  closes_at: IsoTime.nullable(),
  /** If staff closed the market manually: the reason, and since when (`closed_since`). */
  closed_reason: z.string().nullable(),
  closed_since: IsoTime.nullable(),
  version: Version,
  /** The next sessions and closures. Empty for a market that never closes. */
  calendar: z.array(CalendarEntry),
})
export type MarketHoursOut = z.output<typeof MarketHoursOut>

export const staffMarketHours = defineStaffCall({
  method: 'GET',
  path: '/admin/markets/hours',
  may: 'markets.see',
  summary:
    'The state of each market, with its calendar for the next days. The calendar is computed and cannot be edited.',
  query: z.object({ days: z.coerce.number().int().min(1).max(60).default(14) }),
  reply: z.object({ markets: z.array(MarketHoursOut) }),
  refusals: [],
})

const ByType = z.object({ type: MarketTypeOut })

export const staffCloseMarket = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/hours/:type/close',
  may: 'markets.edit',
  summary: 'Closes a market type for new orders. Users see the reason. Open orders settle as usual.',
  params: ByType,
  body: z.object({ version: Version, words: Words }),
  reply: z.null(),
  refusals: ['changed_meanwhile', 'words_needed'],
})

export const staffOpenMarket = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/hours/:type/open',
  may: 'markets.edit',
  summary: 'Returns a market to its calendar. No call opens a market outside its calendar.',
  params: ByType,
  body: z.object({ version: Version }),
  reply: z.null(),
  refusals: ['changed_meanwhile'],
})

const ClosureRow = z.object({
  id: z.string(),
  market_type: MarketTypeOut,
  from: IsoTime,
  to: IsoTime,
  reason: z.string(),
  state: z.enum(['planned', 'going-on', 'over']),
  who: z.string(),
})
export type ClosureRow = z.output<typeof ClosureRow>

export const staffClosures = defineStaffList({
  path: '/admin/markets/closures',
  may: 'markets.see',
  summary: 'Planned closures, the latest first.',
  filters: {},
  row: ClosureRow,
})

export const staffPlanClosure = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/closures/add',
  may: 'markets.edit',
  summary: 'Plans a closure of a market. No new order may expire after its beginning. Open orders settle as usual.',
  body: z.object({ market_type: MarketTypeOut, from: z.iso.datetime(), to: z.iso.datetime(), words: Words }),
  reply: z.object({ id: z.string() }),
  refusals: ['words_needed', 'closure_past', 'closure_ends_first', 'closure_too_long'],
})

export const staffCancelClosure = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/closures/:id/cancel',
  may: 'markets.edit',
  summary: 'Cancels a planned closure. An ongoing closure ends now.',
  params: z.object({ id: z.uuid() }),
  reply: z.null(),
  refusals: ['not_found', 'closure_over'],
})
