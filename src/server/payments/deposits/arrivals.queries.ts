import type { ArrivedAmount } from '#core/wallet/arrival-credit.ts'
import {
  type ArrivalSource,
  type ArrivalState,
  readArrivalSource,
  readArrivalState,
} from '#core/wallet/deposit-state.ts'
import { type Money, money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { ArrivalTable } from '#server/platform/database/tables/payments.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { Selectable } from 'kysely'

/** Money that arrived. */
export interface Arrival {
  readonly id: string
  readonly gatewayId: number
  readonly currency: string
  readonly amount: ArrivedAmount
  readonly source: ArrivalSource
  /** Names the arrival within its source. */
  readonly externalId: string
  /** The reference of the payment, as a bank or a network gives it. */
  readonly reference: string
  readonly seenAt: Instant
  readonly confirmedAt: Instant | null
  readonly createdAt: Instant
  readonly state: ArrivalState
  readonly userId: string | null
  readonly depositId: string | null
  /** The rate that it is credited at, in millionths. Null while it belongs to no deposit. */
  readonly rate: bigint | null
  /** Whether two people have to approve the credit, whatever its amount. */
  readonly takesTwo: boolean
  /** The credit and the charge, in the base currency. Null before the credit. */
  readonly credited: Money | null
  readonly charge: Money | null
  readonly creditedAt: Instant | null
  readonly sentAt: Instant | null
  readonly sentReference: string | null
}

export type NewArrival = Omit<Arrival, 'sentAt' | 'sentReference'>

/** Stores an arrival. Returns false and changes nothing when its source reported it earlier. */
export async function insertArrival(tx: Tx, arrival: NewArrival): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('arrival')
    .values({
      id: arrival.id,
      gateway_id: arrival.gatewayId,
      currency: arrival.currency,
      amount: String(arrival.amount),
      source: arrival.source,
      external_id: arrival.externalId,
      reference: arrival.reference,
      seen_ms: arrival.seenAt,
      confirmed_ms: arrival.confirmedAt,
      created_ms: arrival.createdAt,
      state: arrival.state,
      user_id: arrival.userId,
      deposit_id: arrival.depositId,
      rate_millionths: arrival.rate,
      takes_two: arrival.takesTwo,
      credited: arrival.credited,
      charge: arrival.charge,
      credited_ms: arrival.creditedAt,
    })
    .onConflict((conflict) => conflict.columns(['source', 'external_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Lists the arrivals of each of these deposits by its id, in the order in which they were seen. */
export async function arrivalsOf(
  db: Db | Tx,
  deposits: readonly { readonly userId: string; readonly id: string }[],
): Promise<ReadonlyMap<string, Arrival[]>> {
  const found = new Map<string, Arrival[]>()
  if (deposits.length === 0) return found
  const rows = await db
    .selectFrom('arrival')
    .selectAll()
    .where('user_id', 'in', [...new Set(deposits.map(({ userId }) => userId))])
    .where(
      'deposit_id',
      'in',
      deposits.map(({ id }) => id),
    )
    .orderBy('seen_ms')
    .orderBy('id')
    .execute()
  for (const arrival of rows.map(toArrival)) {
    const depositId = arrival.depositId ?? ''
    found.set(depositId, [...(found.get(depositId) ?? []), arrival])
  }
  return found
}

/** Returns an arrival and locks its row. */
export async function lockArrival(tx: Tx, id: string): Promise<Arrival | null> {
  const row = await tx.selectFrom('arrival').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? toArrival(row) : null
}

export async function findArrival(db: Db, id: string): Promise<Arrival | null> {
  const row = await db.selectFrom('arrival').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toArrival(row) : null
}

/** Finds the arrival that a source reported under this name. */
export async function findBySource(
  db: Db | Tx,
  { source, externalId }: Pick<Arrival, 'source' | 'externalId'>,
): Promise<Arrival | null> {
  const row = await db
    .selectFrom('arrival')
    .selectAll()
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row ? toArrival(row) : null
}

type Changed = Partial<
  Pick<Arrival, 'state' | 'userId' | 'depositId' | 'rate' | 'takesTwo' | 'credited' | 'charge' | 'creditedAt'>
> & { readonly sentAt?: Instant; readonly sentReference?: string; readonly confirmedAt?: Instant }

/** Changes an arrival that still has this state. Another state means a bug, because callers hold the lock of the row. */
export async function changeArrival(tx: Tx, { id, state }: Pick<Arrival, 'id' | 'state'>, to: Changed): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('arrival')
    .set({
      ...(to.state !== undefined && { state: to.state }),
      ...(to.userId !== undefined && { user_id: to.userId }),
      ...(to.depositId !== undefined && { deposit_id: to.depositId }),
      ...(to.rate !== undefined && { rate_millionths: to.rate }),
      ...(to.takesTwo !== undefined && { takes_two: to.takesTwo }),
      ...(typeof to.credited === 'bigint' && { credited: to.credited }),
      ...(typeof to.charge === 'bigint' && { charge: to.charge }),
      ...(typeof to.creditedAt === 'number' && { credited_ms: to.creditedAt }),
      ...(to.confirmedAt !== undefined && { confirmed_ms: to.confirmedAt }),
      ...(to.sentAt !== undefined && { sent_ms: to.sentAt }),
      ...(to.sentReference !== undefined && { sent_reference: to.sentReference }),
    })
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()
  assert(numUpdatedRows === 1n, 'an arrival changes from the state that was read')
}

const time = (ms: bigint | null) => (ms === null ? null : instant(ms))
const amount = (units: bigint | null) => (units === null ? null : money(units))

export function toArrival(row: Selectable<ArrivalTable>): Arrival {
  return {
    id: row.id,
    gatewayId: row.gateway_id,
    currency: row.currency,
    amount: BigInt(row.amount) as ArrivedAmount,
    source: readArrivalSource(row.source),
    externalId: row.external_id,
    reference: row.reference,
    seenAt: instant(row.seen_ms),
    confirmedAt: time(row.confirmed_ms),
    createdAt: instant(row.created_ms),
    state: readArrivalState(row.state),
    userId: row.user_id,
    depositId: row.deposit_id,
    rate: row.rate_millionths,
    takesTwo: row.takes_two,
    credited: amount(row.credited),
    charge: amount(row.charge),
    creditedAt: time(row.credited_ms),
    sentAt: time(row.sent_ms),
    sentReference: row.sent_reference,
  }
}
