import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { REJECTION_CODES } from '#core/wallet/withdrawal-deadline.ts'

const Count = z.number().int().nonnegative()
const Ms = z.number().int().nonnegative()
const Late = z.object({
  count: Count,
  sum: Count.meta({ description: 'In the base currency, rounded to 100.' }),
})

const ServiceLevelsOut = z.object({
  windows: z.array(
    z.object({
      days: z.union([z.literal(7), z.literal(30), z.literal(90)]),
      done: Count.meta({ description: 'Approved withdrawals, or credited deposits.' }),
      median_ms: Ms.nullable().meta({
        description:
          'From the request to the approval or credit, with the wait of a rejected request before it. Null when none was.',
      }),
      p90_ms: Ms.nullable(),
      rejected: Count,
      rejected_by: z.partialRecord(z.enum(REJECTION_CODES), Count),
      cancelled: Count.meta({ description: 'By the users themselves.' }),
    }),
  ),
  waiting: z.object({
    count: Count,
    oldest_ms: Ms.nullable().meta({ description: 'By the clock of the request, which a rejection does not restart.' }),
    over_24h: Late,
    over_72h: Late,
    over_7d: Late,
  }),
})
export type ServiceLevels = z.output<typeof ServiceLevelsOut>

export const proofServiceLevels = defineCall({
  method: 'GET',
  path: '/proof/service-levels',
  who: 'anyone',
  key: 'read',
  summary:
    'How long deposits and withdrawals of users took, how many were rejected, and how many wait. Automatic credits and bots are left out.',
  reply: z.object({ deposits: ServiceLevelsOut, withdrawals: ServiceLevelsOut }),
  refusals: [],
})
export type ProofServiceLevels = z.output<typeof proofServiceLevels.reply>
