import { sql } from 'kysely'
import type { MoneyRecord, MoneyStep } from '#core/proof/money-facts.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'

/** A step with the content of its deposit, withdrawal or adjustment. */
export interface MoneyStepRow {
  readonly user_id: string
  readonly record_id: string
  readonly id: string
  readonly of_kind: MoneyRecord
  readonly step: MoneyStep
  readonly trx: string
  readonly at_ms: bigint
  readonly amount: bigint
  /** Null for the base currency. */
  readonly currency: string | null
  readonly charges: bigint
  readonly wallet_address: string
  /** The payment details of a withdrawal, encrypted. */
  readonly details: unknown
  readonly words: string
  /** The sum of the arrivals of the first credit of a deposit, in hundred-millionths. Null if unknown. */
  readonly arrived: string | null
  /** The amount to pay of a deposit. */
  readonly total: bigint | null
  /** The reference of a payment. */
  readonly payment: string | null
  readonly reason_code: string | null
  /** The hash of the owner's part, once the texts of that part are erased. Null before. */
  readonly owner_sha256: string | null
}

/** Reads steps in the order of the keys. */
export async function readMoneySteps(db: Db, keys: readonly OrderKey[]): Promise<MoneyStepRow[]> {
  const { rows } = await sql<MoneyStepRow>`
    select s.user_id, s.record_id, s.id, s.of_kind, s.step, s.trx, s.at_ms, s.owner_sha256, d.currency, w.details, w.reason_code,
      coalesce(d.amount, w.amount, c.amount) as amount,
      coalesce(d.percent_charge + d.fixed_charge, w.percent_charge + w.fixed_charge, 0)::int8 as charges,
      coalesce(d.wallet_address, '') as wallet_address, coalesce(e.words, d.feedback, w.feedback, c.message) as words,
      case when s.step = 'paid' then w.reference end as payment, d.total,
      case when s.step = 'credited' then (select sum(a.amount)::text from arrival a where a.user_id = d.user_id
        and a.deposit_id = d.id and a.state = 'credited' and a.credited_ms = d.decided_ms) end as arrived
    from unnest(${keys.map(({ userId }) => userId)}::uuid[], ${keys.map(({ orderId }) => orderId)}::uuid[])
      with ordinality as k (user_id, id, place)
    join money_step s on s.id = k.id and s.user_id = k.user_id
    left join deposit d on s.of_kind = 'deposit' and d.user_id = s.user_id and d.id = s.record_id
    left join withdrawal w on s.of_kind in ('withdrawal', 'leave') and w.user_id = s.user_id and w.id = s.record_id
    left join payment_event e on s.step = 'returned' and e.user_id = s.user_id and e.subject = s.record_id
      and e.step = 'returned'
    left join correction c on s.of_kind = 'correction' and c.id = s.record_id
    order by k.place`.execute(db)
  return rows
}

/** A step that was found by the public reference of its record. */
export interface FoundStep extends OrderKey {
  readonly atMs: number
}

/** Lists the steps of a record, the request first. Empty when no record has this reference. */
export async function listMoneySteps(db: Db, trx: string): Promise<FoundStep[]> {
  const rows = await db
    .selectFrom('money_step')
    .select(['user_id', 'id', 'at_ms', 'step'])
    .where('trx', '=', trx)
    .orderBy(sql`step in ('asked', 'announced')`, 'desc')
    .orderBy('at_ms')
    .orderBy(sql`step = 'returned'`)
    .execute()
  return rows.map((row) => ({ userId: row.user_id, orderId: row.id, atMs: Number(row.at_ms) }))
}
