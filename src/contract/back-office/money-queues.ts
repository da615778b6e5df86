import { z } from 'zod'
import { IsoTime, MoneyOut } from '#contract/wire.ts'

/** What the queues of deposits and withdrawals have in common. */

export const TrxParams = z.object({ trx: z.string().max(40) })

/** A decision: bound to what was looked at, with words that the user reads. */
export const DecisionBody = z.object({
  content_hash: z.string().max(100),
  words: z.string().trim().max(500).default(''),
})

/** Who approved and who decided, in a line of a queue. */
export const DECIDED_BY = {
  /** The first of two approvers; null when nobody has approved it yet, or one is enough. */
  first_by: z.string().nullable(),
  /** Who approved or rejected it; null while it waits, and when no staff member decided it. */
  decided_by: z.string().nullable(),
  decided_at: IsoTime.nullable(),
} as const

/** The strip above a queue. */
export const QueueFigures = z.object({
  waiting: z.number().int(),
  /** Of those that wait: approved by one person, waiting for another. */
  second_person: z.number().int(),
  /** All that waits together, in the base currency. */
  sum: MoneyOut,
  /** Since when the one that waits the longest does; null when none does. */
  oldest_at: IsoTime.nullable(),
  /** Half of those decided in the last 7 days took no longer than this; of very many, the newest. Null when there are none. */
  median_ms: z.number().nullable(),
})
export type QueueFigures = z.output<typeof QueueFigures>

/** What the staff says among themselves. Users never read it. */
export const RemarksOut = z.array(z.object({ who: z.string(), at: IsoTime, text: z.string() }))
export const RemarkBody = z.object({ text: z.string().trim().max(1_000) })
