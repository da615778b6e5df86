import { z } from 'zod'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

const Data = z.looseObject({ reason: z.string().default('') })

export type PaymentKind = 'deposit' | 'withdrawal'

/** A step in the history of a deposit or a withdrawal. */
export interface PaymentEvent<Step> {
  readonly step: Step
  readonly at: Instant
  /** The name of the staff member, or of the operator at the command line. Empty for the user and for a provider. */
  readonly who: string
  readonly words: string
  /** A text that only staff read. */
  readonly reason: string
}

export interface NewPaymentEvent<Step, State> extends Omit<PaymentEvent<Step>, 'reason'> {
  readonly userId: string
  /** The id of the payment. */
  readonly id: string
  readonly state: State
  readonly staffId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** Adds a step to the history of a payment. The caller must hold the lock of the payment, or have just inserted it. */
export async function addPaymentEvent(
  tx: Tx,
  kind: PaymentKind,
  { userId, id, ...event }: NewPaymentEvent<string, string>,
): Promise<void> {
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
      subject_kind: kind,
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

/** Lists the steps of each of these payments by its id, oldest first. */
export async function listPaymentEvents<Step>(
  db: Db | Tx,
  payments: readonly { readonly userId: string; readonly id: string }[],
  { kind, readStep }: { readonly kind: PaymentKind; readonly readStep: (text: string) => Step },
): Promise<ReadonlyMap<string, PaymentEvent<Step>[]>> {
  const events = new Map<string, PaymentEvent<Step>[]>()
  if (payments.length === 0) return events
  const rows = await db
    .selectFrom('payment_event')
    .select(['subject', 'step', 'at_ms', 'who', 'words', 'data'])
    .where('subject_kind', '=', kind)
    .where('user_id', 'in', [...new Set(payments.map(({ userId }) => userId))])
    .where(
      'subject',
      'in',
      payments.map(({ id }) => id),
    )
    .orderBy('seq')
    .execute()
  for (const row of rows) {
    const { reason } = Data.parse(row.data)
    const event = { step: readStep(row.step), at: instant(row.at_ms), who: row.who, words: row.words, reason }
    events.set(row.subject, [...(events.get(row.subject) ?? []), event])
  }
  return events
}
