import { randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { TRX_BYTES, trxFrom } from '#core/orders/trx.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { groupByShard } from '#server/trading/engine/user-shards.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import { acceptBatch } from '#server/trading/engine/accept.queries.ts'
import { acceptWholeUsers } from '#server/trading/engine/accept-whole-users.queries.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { depositForAll } from './deposit-for-all.ts'
import { BTC, ONE_MINUTE } from '#test/support/market-fixtures.ts'

/** The cash of each user in the smallest units of the currency: more than all stakes of a measurement. */
const CASH = 1_000_000_000_000n
/** 1,000,000: the measurements are about statements and must not hit the limit of open orders per user. */
const MAX_OPEN_ORDERS = 1_000_000
const STAKE = money(1_000n)

/** Adds verified users with money paid in through the ledger, by SQL. */
export async function addFundedUsers(db: Db, count: number): Promise<string[]> {
  return await db.transaction().execute(async (tx) => {
    await sql`
      insert into app_user (id, username, email, mobile, password_hash, verified, created_ms)
      select gen_random_uuid(), 'bench_' || i, null, i::text, '!', true, 0 from generate_series(1, ${count}::int4) i`.execute(
      tx,
    )
    await sql`
      insert into balance (user_id, currency, cash) select id, ${BASE_CURRENCY}, ${CASH}::int8 from app_user
      where username like 'bench\_%'`.execute(tx)
    await depositForAll(tx, { names: 'bench_', cash: CASH, at: 0 })
    const rows = await tx.selectFrom('app_user').select('id').where('username', 'like', 'bench\\_%').execute()
    return rows.map(({ id }) => id)
  })
}

/** A limit that no measurement reaches. */
const UNREACHED = 10_000_000_000n

/**
 * Gives each of these users personal limits: on a stake, and on the losses of a day and of a month. Adds two marks per
 * day for the last 31 days. A mark holds the user's totals at a time, from which the server computes losses.
 */
export async function setOwnLimits(db: Db, users: readonly string[]): Promise<void> {
  await sql`analyze balance, app_user`.execute(db)
  for (const some of chunk(users.toSorted(), 500)) {
    await sql`
      insert into self_limit_change (user_id, id, key, to_amount)
      select id, gen_random_uuid(), key, ${UNREACHED}::int8
      from unnest(${some}::uuid[]) id, unnest(array['stake_max', 'loss_day', 'loss_month']) key`.execute(db)
    await sql`
      insert into limit_mark (user_id, made_ms, net_total, stake_total)
      select id, ${Date.now()}::int8 - half_days * 43200000::int8, 0, 0
      from unnest(${some}::uuid[]) id, generate_series(0, 61) half_days`.execute(db)
  }
}

export interface OrderMix {
  readonly users: readonly string[]
  /** Number of symbols. */
  readonly symbols: number
  /** The expiry of all orders of a plan. Default: a minute from now. */
  readonly expiresAt?: Instant
}

/** Creates orders as the engine passes them to the statement, of random users and symbols. */
export function planOrders(count: number, { users, symbols, expiresAt }: OrderMix): PlannedOrder[] {
  const now = instant(Date.now())
  const head = { lastSeq: 1_000_000, hash: new Uint8Array(32) }
  return Array.from({ length: count }, () => {
    const symbol = { ...BTC, id: 1 + randomInt(symbols) }
    const entry = {
      symbolId: symbol.id,
      seq: head.lastSeq - symbol.id,
      price: price(6_728_410),
      volume: volume(1),
      time: later(now, -50),
      receivedAt: later(now, -40),
      source: 'bench',
    }
    const expires = expiresAt ?? later(now, MINUTE_MS)
    const openedAt = later(expires, -MINUTE_MS)
    return {
      userId: users[randomInt(users.length)] ?? '',
      orderId: uuidv7(),
      trx: trxFrom(randomBytes(TRX_BYTES), openedAt),
      clientOrderId: uuidv7(),
      direction: randomInt(2) === 0 ? BUY : SELL,
      stake: STAKE,
      placement: { symbol, terms: ONE_MINUTE, entry, openedAt, expiresAt: expires },
      isBot: false,
      maxTickAgeMs: symbol.maxTickAgeMs,
      receivedAt: now,
      head,
    }
  })
}

/**
 * Measures how many orders per second the engine's statement accepts durably. Batches are spread over these
 * connections, with two pending on each, which the database executes in order. Orders of a user use the same
 * connection, as in a loaded engine. A second statement decides the orders that the first one leaves undecided. The
 * orders are created before the clock starts, and each must be accepted.
 */
export async function acceptRate(
  lanes: readonly Db[],
  orders: readonly PlannedOrder[],
  batch: number,
): Promise<number> {
  const own = groupByShard(orders, lanes.length)
  const work = lanes.map((db, nth) => ({ db, batches: chunk(own[nth] ?? [], batch).values() }))
  const go = async (db: Db, batches: Iterable<PlannedOrder[]>): Promise<void> => {
    for (const each of batches) {
      const balances = await acceptWholeUsers(db, each, MAX_OPEN_ORDERS)
      const left = each.filter((_, at) => balances[at] === null)
      const rows = left.length === 0 ? [] : await acceptBatch(db, left, MAX_OPEN_ORDERS)
      assert(
        rows.every(({ outcome }) => outcome === 'accepted'),
        'every order is accepted',
      )
    }
  }
  const started = performance.now()
  // Both loops take batches from the same iterator.
  await Promise.all(work.flatMap(({ db, batches }) => [go(db, batches), go(db, batches)]))
  return orders.length / ((performance.now() - started) / 1_000)
}

/** A fast run that breaks the ledger is a failed run. */
export async function assertLedger(db: Db): Promise<void> {
  const { clean, users, transfers, openOrders } = await checkLedger(db)
  assert(clean, 'the ledger reconciles')
  console.log(`the ledger reconciles: ${users} users, ${transfers} transfers, ${openOrders} open orders`)
}
