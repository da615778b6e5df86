import { sql } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import { WIN } from '#core/orders/order.ts'
import { DAY_MS, type Instant, instant } from '#core/time/instant.ts'
import { type WithdrawalCheck, withdrawalChecks } from '#core/wallet/withdrawal-checks.ts'
import { isPayable } from '#core/wallet/method-details.ts'
import { findForms } from '#server/payments/gateways/list-gateways.ts'
import { findDuplicates } from '#server/payments/withdrawals/duplicates.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { PAID, PENDING, type Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** Finds the warnings about each of these withdrawals, by reference. Only pending withdrawals have warnings. */
export async function checksOf(db: Db, withdrawals: readonly Withdrawal[]): Promise<Map<string, WithdrawalCheck[]>> {
  const waiting = new Map(withdrawals.filter(({ status }) => status === PENDING).map((one) => [one.trx, one]))
  if (waiting.size === 0) return new Map()
  const rows = await db
    .selectFrom('withdrawal as w')
    .innerJoin('app_user as u', 'u.id', 'w.user_id')
    .select(['w.trx', 'u.verified', 'u.email', 'u.pin_changed_ms', 'u.firstname', 'u.lastname'])
    .select((from) =>
      from
        .selectFrom('withdrawal as p')
        .select((paid) => paid.fn.countAll<bigint>().as('count'))
        .whereRef('p.user_id', '=', 'w.user_id')
        .whereRef('p.gateway_id', '=', 'w.gateway_id')
        .whereRef('p.destination', '=', 'w.destination')
        .where('p.status', '=', PAID)
        // Payments before a recovery of the account do not count, so every destination is new again.
        .where((by) => by.or([by('u.recovered_ms', 'is', null), by('p.decided_ms', '>', by.ref('u.recovered_ms'))]))
        .as('payouts'),
    )
    .where('w.trx', 'in', [...waiting.keys()])
    .execute()
  const duplicates = await findDuplicates(db, [...waiting.keys()])
  const forms = await findForms(db, [...new Set([...waiting.values()].map(({ methodId }) => methodId))])
  const checks = new Map<string, WithdrawalCheck[]>()
  for (const row of rows) {
    const withdrawal = waiting.get(row.trx)
    if (!withdrawal) continue
    const facts = {
      confirmedBy: withdrawal.confirmedBy,
      isVerified: row.verified,
      hasEmail: row.email !== null,
      requestedAt: withdrawal.createdAt,
      pinChangedAt: row.pin_changed_ms === null ? null : instant(row.pin_changed_ms),
      paymentsToSame: Number(row.payouts ?? 0),
      detailsStand: withdrawal.reviewVersion === 1,
      details: withdrawal.details,
      firstname: row.firstname,
      lastname: row.lastname,
    }
    checks.set(row.trx, [...withdrawalChecks(facts), ...doubts(withdrawal)])
  }
  return checks

  /** Lists signs of a duplicate, and a warning when the destination no longer satisfies its method's rules. */
  function doubts({ trx, methodId, details }: Withdrawal): WithdrawalCheck[] {
    const found = (duplicates.get(trx) ?? []).map(({ check, count }) => ({ check, passed: false, count }))
    if (isPayable(forms.get(methodId) ?? [], details)) return found
    return [...found, { check: 'destination_invalid', passed: false, count: null }]
  }
}

export interface Move {
  readonly kind: string
  readonly from: string
  readonly to: string
  readonly amount: Money
  readonly at: Instant
}

/** Lists the transfers of a withdrawal, oldest first. */
export async function movesOf(db: Db, { userId, id }: Pick<Withdrawal, 'userId' | 'id'>): Promise<Move[]> {
  const rows = await db
    .selectFrom('transfer')
    .select(['kind', 'from_account', 'to_account', 'amount', 'created_ms'])
    .where('user_id', '=', userId)
    .where('ref', '=', id)
    .orderBy('created_ms')
    // Orders transfers of the same instant: first the hold, then its outcome.
    .orderBy(sql`from_account = 'cash'`, 'desc')
    .orderBy('step')
    .execute()
  return rows.map((row) => ({
    kind: row.kind,
    from: row.from_account,
    to: row.to_account,
    amount: money(row.amount),
    at: instant(row.created_ms),
  }))
}

export interface Recent {
  readonly deposited: Money
  readonly withdrawn: Money
  readonly orders: number
  readonly won: number
}

/** Summarises a user's activity in the last 30 days, through the indexes by user. */
export async function recentOf(db: Db, userId: string, now: Instant): Promise<Recent> {
  const since = now - 30 * DAY_MS
  const { rows } = await sql<{ deposited: bigint; withdrawn: bigint; orders: bigint; won: bigint }>`
    select
      (select coalesce(sum(credited), 0)::int8 from deposit
        where user_id = ${userId} and status = 1 and created_ms >= ${since}) as deposited,
      (select coalesce(sum(amount), 0)::int8 from withdrawal
        where user_id = ${userId} and status = 1 and created_ms >= ${since}) as withdrawn,
      o.orders, o.won
    from (
      select count(*)::int8 as orders, count(*) filter (where result = ${WIN})::int8 as won
      from order_history where user_id = ${userId} and settled_ms >= ${since}
    ) o`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate query must return a row')
  return {
    deposited: money(row.deposited),
    withdrawn: money(row.withdrawn),
    orders: Number(row.orders),
    won: Number(row.won),
  }
}
