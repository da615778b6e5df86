import { z } from 'zod'
import { basisPoints, money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'
import type { MethodDetails, MethodField } from '#core/wallet/method-details.ts'
import type { WithdrawalTerms } from '#core/wallet/withdrawal-quote.ts'
import type { Db } from '#server/db/tables.ts'

/** A way to be paid out. */
export interface WithdrawMethod extends WithdrawalTerms {
  readonly id: number
  readonly name: string
  readonly image: string
  /** What is paid out; limits and charges are in the base currency. */
  readonly currency: string
  readonly description: string
  readonly form: readonly MethodField[]
}

const Form = z.array(z.object({ name: z.string(), label: z.string(), type: z.string(), is_required: z.boolean() }))
const Details = z.record(z.string(), z.string())

/** The methods on offer, in the operator's order. */
export async function listMethods(db: Db): Promise<WithdrawMethod[]> {
  const rows = await db
    .selectFrom('gateway')
    .selectAll()
    .where('kind', '=', 'withdraw')
    .where('is_offered', '=', true)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    image: row.image,
    currency: row.currency,
    minimum: money(row.min_amount),
    maximum: money(row.max_amount),
    fixedCharge: money(row.fixed_charge),
    percentCharge: basisPoints(row.percent_charge_basis_points),
    rate: row.rate_millionths,
    description: row.description,
    form: Form.parse(row.form),
  }))
}

export async function findMethod(db: Db, id: number): Promise<WithdrawMethod | null> {
  return (await listMethods(db)).find((method) => method.id === id) ?? null
}

/** What a user has saved, by method. */
export async function findDetails(db: Db, userId: string): Promise<ReadonlyMap<number, MethodDetails>> {
  const rows = await db
    .selectFrom('user_withdrawal_method')
    .select(['gateway_id', 'details'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map((row) => [row.gateway_id, Details.parse(row.details)]))
}

export async function saveDetails(
  db: Db,
  saved: { readonly userId: string; readonly methodId: number; readonly details: MethodDetails; readonly at: Instant },
): Promise<void> {
  const values = { details: JSON.stringify(saved.details), updated_ms: saved.at }
  await db
    .insertInto('user_withdrawal_method')
    .values({ user_id: saved.userId, gateway_id: saved.methodId, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'gateway_id']).doUpdateSet(values))
    .execute()
}
