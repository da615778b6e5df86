import { z } from 'zod'
import { VOID_REASONS } from '#core/orders/order.ts'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'

const Count = z.number().int().nonnegative()

const Stand = z.object({
  days: z.number().int(),
  would_win: Count,
  would_lose: Count,
  would_draw: Count,
  missed_by_users: MoneyOut.meta({ description: 'What the orders would have won.' }),
  kept_by_users: MoneyOut.meta({ description: 'What the orders would have lost.' }),
  against_users: Count.meta({ description: 'Void expiries that would have paid users more than they lost.' }),
  against_site: Count.meta({ description: 'Void expiries that would have cost users more than they won.' }),
  chance: z.number().meta({
    description: 'Chance that a fair coin splits those two at least as unevenly (exact binomial, both directions).',
  }),
})

const VoidsOut = z.object({
  by: z.enum(['cause', 'day']),
  since: IsoTime,
  orders: Count.meta({ description: 'All orders settled since then.' }),
  late: Count.meta({ description: 'Orders whose price was decided by late evidence.' }),
  lines: z.array(
    z.object({
      of: z.string().meta({ description: `A day, or a cause: ${VOID_REASONS.join(', ')}.` }),
      orders: Count,
      bots: Count.meta({ description: 'How many of them are of bots.' }),
      while_down: Count.meta({ description: 'How many of them expired while no server accepted orders.' }),
    }),
  ),
  without_record: z.array(Stand).meta({
    description:
      'How void orders would have ended by the first later price, where the provider keeps no public record.',
  }),
  pauses: z
    .array(
      z.object({
        symbol: z.string(),
        why: z.enum(['too_many_voids', 'record_unread']),
        from: IsoTime,
        until: IsoTime.nullable().meta({ description: 'Null until the record was read.' }),
      }),
    )
    .meta({
      description:
        'Symbols that took no orders in the last 90 days, because too many were void; and those with a record that is still unread.',
    }),
  made_good: z
    .object({
      orders: Count,
      amount: MoneyOut,
      unread: Count.meta({ description: 'Expiries about which the record is still asked.' }),
      waiting: z
        .array(z.object({ source: z.string(), orders: Count, amount: MoneyOut, pays_at: IsoTime }))
        .meta({ description: 'Large sums are shown for 72 hours before they are paid.' }),
    })
    .meta({ description: 'What users got in the last 90 days because the record of a source contradicted a result.' }),
})
export type Voids = z.output<typeof VoidsOut>

export const proofVoids = defineCall({
  method: 'GET',
  path: '/proof/voids',
  who: 'anyone',
  key: 'read',
  summary:
    'Void orders of the last 90 days by cause or by day, how they would have ended, and what followed from them.',
  query: z.object({ by: z.enum(['cause', 'day']).default('cause') }),
  reply: z.object({ voids: VoidsOut }),
  refusals: [],
})
