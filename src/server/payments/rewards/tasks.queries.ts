import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import { DAY_MS, type Instant, instant } from '#core/time/instant.ts'
import { TRADING_DAYS_GOAL, type TaskFacts } from '#core/wallet/beginner-tasks.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/**
 * The transfer that pays a task has the user's id as `ref`, and this prefix with the task key as `step`. The ledger
 * accepts each combination once, so each task is paid once.
 */
const STEP = 'task:'
export const stepOf = (taskKey: string): string => `${STEP}${taskKey}`

/**
 * Makes transactions that pay tasks to one user run one after the other. It does not lock the balance, because orders
 * need that lock: only the last statement, which posts the transfers, locks the balance.
 */
export async function takeTurns(tx: Tx, userId: string): Promise<void> {
  await lockName(tx, `tasks ${userId}`)
}

/** Returns the user's credits: money that was not deposited and only the ledger account `credits` holds. */
export async function findCredits(db: Db, userId: string): Promise<Money> {
  const { credits } = await db
    .selectFrom('balance')
    .select('credits')
    .where('user_id', '=', userId)
    .where('currency', '=', BASE_CURRENCY)
    .executeTakeFirstOrThrow()
  return money(credits)
}

export interface PaidTask {
  readonly amount: Money
  readonly at: Instant
}

/** Returns the amount and time of each paid task, by task key. Only the ledger stores these facts. */
export async function paidTasks(db: Db | Tx, userId: string): Promise<Map<string, PaidTask>> {
  const rows = await db
    .selectFrom('transfer')
    .select(['step', 'amount', 'created_ms'])
    .where('user_id', '=', userId)
    .where('ref', '=', userId)
    .where('step', 'like', `${STEP}%`)
    .execute()
  return new Map(
    rows.map((row) => [row.step.slice(STEP.length), { amount: money(row.amount), at: instant(row.created_ms) }]),
  )
}

/** Reads the facts that decide which tasks a user has completed. Returns null for bots and practice accounts, because they get no rewards. */
export async function findTaskFacts(db: Db | Tx, userId: string): Promise<TaskFacts | null> {
  const { rows } = await sql<{
    verified: boolean
    has_name: boolean
    has_pin: boolean
    has_deposited: boolean
    days_traded: bigint
    has_checked: boolean
  }>`
    select u.verified,
      u.firstname <> '' and u.lastname <> '' as has_name,
      u.pin_hash is not null as has_pin,
      exists (select from deposit d where d.user_id = u.id and d.status = 1) as has_deposited,
      (${daysTraded(userId)}) as days_traded,
      exists (select from first_check c where c.user_id = u.id) as has_checked
    from app_user u where u.id = ${userId} and not u.is_bot and u.practice_of is null`.execute(db)
  const [row] = rows
  return row
    ? {
        isVerified: row.verified,
        hasName: row.has_name,
        hasPin: row.has_pin,
        hasDeposited: row.has_deposited,
        daysTraded: Number(row.days_traded),
        hasChecked: row.has_checked,
      }
    : null
}

/**
 * Counts the days on which orders of the user were settled, at most up to the goal. The query makes one index look-up
 * for each day, so that a long history costs no more than a short one.
 */
const daysTraded = (userId: string) => sql`
  with recursive traded (day, number) as (
    select min(settled_ms) / ${DAY_MS}::int8, 1 from order_history where user_id = ${userId}
    union all
    select (select min(settled_ms) / ${DAY_MS}::int8 from order_history
            where user_id = ${userId} and settled_ms >= (traded.day + 1) * ${DAY_MS}::int8), number + 1
    from traded where day is not null and number < ${TRADING_DAYS_GOAL}::int4
  )
  select count(day) from traded`

/** Finds a settled order of the user by its reference. */
export async function findSettledOrder(db: Db, userId: string, trx: string) {
  return db
    .selectFrom('order_history')
    .select('id')
    .where('trx', '=', trx)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Stores the first order that a user has checked. Later calls change nothing. */
export async function noteFirstCheck(
  db: Db,
  { userId, orderId, now }: { readonly userId: string; readonly orderId: string; readonly now: Instant },
): Promise<void> {
  await db
    .insertInto('first_check')
    .values({ user_id: userId, order_id: orderId, checked_ms: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}
