import { z } from 'zod'
import { type Instant, instant } from '#core/time/instant.ts'
import { readWithdrawalStep, type WithdrawalState, type WithdrawalStep } from '#core/wallet/withdrawal-state.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

const Data = z.looseObject({ reason: z.string().default('') })

/** A step in the history of a withdrawal. */
export interface PaymentEvent {
  readonly step: WithdrawalStep
  readonly at: Instant
  /** The name of the staff member, or of the operator at the command line. Empty for the user. */
  readonly who: string
  readonly words: string
  /** A text that only staff read. */
  readonly reason: string
}

interface NewEvent extends Omit<PaymentEvent, 'reason'> {
  readonly userId: string
  readonly id: string
  readonly state: WithdrawalState
  readonly staffId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** Adds a step to the history of a withdrawal. The caller must hold the lock of the withdrawal. */
export async function addEvent(tx: Tx, { userId, id, ...event }: NewEvent): Promise<void> {
  const last = await tx
    .selectFrom('payment_event')
    .select('seq')
    .where('user_id', '=', userId)
    .where('subject', '=', id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  await tx
    .insertInto('payment_event')
    .values({
      user_id: userId,
      subject: id,
      seq: (last?.seq ?? 0) + 1,
      step: event.step,
      state: event.state,
      staff_id: event.staffId,
      who: event.who,
      at_ms: event.at,
      words: event.words,
      data: JSON.stringify(event.data),
    })
    .execute()
}

/** Lists the steps of each of these withdrawals by its id, oldest first. */
export async function listEvents(
  db: Db | Tx,
  withdrawals: readonly { readonly userId: string; readonly id: string }[],
): Promise<ReadonlyMap<string, PaymentEvent[]>> {
  const events = new Map<string, PaymentEvent[]>()
  if (withdrawals.length === 0) return events
  const rows = await db
    .selectFrom('payment_event')
    .select(['subject', 'step', 'at_ms', 'who', 'words', 'data'])
    .where('user_id', 'in', [...new Set(withdrawals.map(({ userId }) => userId))])
    .where(
      'subject',
      'in',
      withdrawals.map(({ id }) => id),
    )
    .orderBy('seq')
    .execute()
  for (const row of rows) {
    const { reason } = Data.parse(row.data)
    const event = { step: readWithdrawalStep(row.step), at: instant(row.at_ms), who: row.who, words: row.words, reason }
    events.set(row.subject, [...(events.get(row.subject) ?? []), event])
  }
  return events
}
