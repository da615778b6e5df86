import { z } from 'zod'
import { IsoTime, MoneyOut } from '#contract/wire.ts'

/** Definitions shared by the queues of deposits and withdrawals. */

export const TrxParams = z.object({ trx: z.string().max(40) })

/** A decision, bound to the content that the staff member saw, with a message that the user reads. */
export const DecisionBody = z.object({
  content_hash: z.string().max(100),
  words: z.string().trim().max(500).default(''),
})

/** Why an approval that needs a second person is refused. */
export const APPROVAL_REFUSALS = ['second_person_needed', 'not_approver', 'not_independent', 'change_pending'] as const

/** The staff members who approved and decided an entry of a queue. */
export const DECIDED_BY = {
  /** The first of two approvers. Null before the first approval, and when one approver is enough. */
  first_by: z.string().nullable(),
  /**
   * The staff member who approved or rejected the entry. Null while it is pending, and when no staff member decided it.
   */
  decided_by: z.string().nullable(),
  decided_at: IsoTime.nullable(),
} as const

/** The figures that the page shows above its queue of deposits or withdrawals. */
export const QueueFigures = z.object({
  waiting: z.number().int(),
  /** Pending entries with one approval that need a second approver. */
  second_person: z.number().int(),
  /** Total of the pending entries, in the base currency. */
  sum: MoneyOut,
  /** When the oldest pending entry was created. Null when there is none. */
  oldest_at: IsoTime.nullable(),
  /**
   * Median time to a decision in the last 7 days. Above a maximum number of decisions, only the newest ones are
   * included. Null without decisions.
   */
  median_ms: z.number().nullable(),
})
export type QueueFigures = z.output<typeof QueueFigures>

/** Internal notes of staff members. Users cannot see them. */
export const RemarksOut = z.array(z.object({ who: z.string(), at: IsoTime, text: z.string() }))
export const RemarkBody = z.object({ text: z.string().trim().max(1_000) })
