import type { ArrivalRow } from '#contract/back-office/arrivals.ts'
import { type Money, moneyNumber } from '#core/money/money.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import { arrivedText } from '#core/wallet/arrival-credit.ts'
import type { ArrivalState } from '#core/wallet/deposit-state.ts'
import { type Arrival, toArrival } from '#server/payments/deposits/arrivals.queries.ts'
import { type Cursor, type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An arrival with the names that staff see. */
export interface StaffArrival extends Arrival {
  readonly gateway: string
  readonly trx: string | null
  readonly username: string | null
}

const BY_TIME: Keyset = {
  columns: [
    ['a.created_ms', 'int8'],
    ['a.id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists arrivals, newest first. */
export async function listStaffArrivals(db: Db, state: ArrivalState | null, page: Page): Promise<StaffArrival[]> {
  const arrivals = named(db).$if(state !== null, (all) => all.where('a.state', '=', state ?? ''))
  return (await pageAfter(arrivals, BY_TIME, page).execute()).map(toStaffArrival)
}

export async function findStaffArrival(db: Db, id: string): Promise<StaffArrival | null> {
  const row = await named(db).where('a.id', '=', id).executeTakeFirst()
  return row ? toStaffArrival(row) : null
}

export function arrivalCursor({ createdAt, id }: StaffArrival): Cursor {
  return [createdAt, id]
}

const time = (at: Instant | null) => (at === null ? null : toIso(at))
const amount = (units: Money | null) => (units === null ? null : moneyNumber(units))

export function toArrivalRow(one: StaffArrival): ArrivalRow {
  return {
    id: one.id,
    state: one.state,
    gateway: one.gateway,
    currency: one.currency,
    amount: arrivedText(one.amount, one.currency),
    source: one.source,
    reference: one.reference,
    seen_at: toIso(one.seenAt),
    created_at: toIso(one.createdAt),
    trx: one.trx,
    user_id: one.userId,
    username: one.username,
    credited: amount(one.credited),
    charge: amount(one.charge),
    credited_at: time(one.creditedAt),
    sent_at: time(one.sentAt),
    sent_reference: one.sentReference,
  }
}

function named(db: Db) {
  return db
    .selectFrom('arrival as a')
    .innerJoin('gateway as g', 'g.id', 'a.gateway_id')
    .leftJoin('deposit as d', (join) => join.onRef('d.user_id', '=', 'a.user_id').onRef('d.id', '=', 'a.deposit_id'))
    .leftJoin('app_user as u', 'u.id', 'a.user_id')
    .selectAll('a')
    .select(['g.name as gateway', 'd.trx', 'u.username'])
}

function toStaffArrival(row: Awaited<ReturnType<ReturnType<typeof named>['execute']>>[number]): StaffArrival {
  return { ...toArrival(row), gateway: row.gateway, trx: row.trx, username: row.username }
}
