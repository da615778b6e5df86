import { z } from 'zod'
import { type DepositState, type DepositStep, readDepositStep } from '#core/wallet/deposit-state.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

const Data = z.looseObject({ reason: z.string().default('') })

/** A step in the history of a deposit. */
export interface DepositEvent {
  readonly step: DepositStep
  readonly at: Instant
  /** The name of the staff member, or of the operator at the command line. Empty for the user and for a provider. */
  readonly who: string
  readonly words: string
  /** A text that only staff read. */
  readonly reason: string
}

interface NewEvent {
  readonly userId: string
  readonly id: string
  readonly step: DepositStep
  readonly state: DepositState
  readonly at: Instant
  readonly actor?: Actor | undefined
  readonly words?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** Adds a step to the history of a deposit. The caller must hold the lock of the deposit, or have just inserted it. */
export async function addDepositEvent(
  tx: Tx,
  { userId, id, step, state, at, actor, words, data }: NewEvent,
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
      subject_kind: 'deposit',
      seq: (last?.seq ?? 0) + 1,
      step,
      state,
      staff_id: actor?.staffId ?? null,
      who: actor?.who ?? '',
      at_ms: at,
      words: words ?? '',
      data: JSON.stringify(data ?? {}),
    })
    .execute()
}

/** Lists the steps of each of these deposits by its id, oldest first. */
export async function listDepositEvents(
  db: Db | Tx,
  deposits: readonly { readonly userId: string; readonly id: string }[],
): Promise<ReadonlyMap<string, DepositEvent[]>> {
  const events = new Map<string, DepositEvent[]>()
  if (deposits.length === 0) return events
  const rows = await db
    .selectFrom('payment_event')
    .select(['subject', 'step', 'at_ms', 'who', 'words', 'data'])
    .where('subject_kind', '=', 'deposit')
    .where('user_id', 'in', [...new Set(deposits.map(({ userId }) => userId))])
    .where(
      'subject',
      'in',
      deposits.map(({ id }) => id),
    )
    .orderBy('seq')
    .execute()
  for (const row of rows) {
    const { reason } = Data.parse(row.data)
    const event = { step: readDepositStep(row.step), at: instant(row.at_ms), who: row.who, words: row.words, reason }
    events.set(row.subject, [...(events.get(row.subject) ?? []), event])
  }
  return events
}
