import { z } from 'zod'
import { MAX_RECENT_SECONDS, MAX_RECENT_TICKS } from '#core/markets/recent-ticks.ts'
import { defineCall } from '#contract/call.ts'
import { PriceOut, Text } from '#contract/wire.ts'

/** `[sequence number in the log, time ms, price]`. */
const TickRow = z.tuple([z.number().int(), z.number().int(), PriceOut])

export const recentTicks = defineCall({
  method: 'POST',
  path: '/user/recent-ticks',
  who: 'anyone',
  key: 'read',
  summary: 'The ticks of the last seconds, ascending; above 5,000 only the newest tick of each second.',
  body: z.object({ symbol: Text(20), seconds: z.number().int().min(1).max(MAX_RECENT_SECONDS) }),
  reply: z.array(TickRow).max(MAX_RECENT_TICKS),
  meta: z.object({
    max_tick_age_ms: z.number().int().meta({
      description: 'Maximum age of a price on which an order is accepted. A longer silence is a gap.',
    }),
    thinned: z.boolean().meta({ description: 'Only the newest tick of each second is listed.' }),
  }),
  refusals: ['symbol_unknown', 'rate_limited'],
})
