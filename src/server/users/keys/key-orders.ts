import { sql } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { dayStartedAt } from '#core/time/day-start.ts'
import { type Instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { KeyOrder, KeyOrderRefusal, KeyOrders } from '#server/platform/http/key-orders.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/**
 * Places orders of API keys within the limits of each key. The stake is reserved before the order is placed, and
 * released when the order is refused. If the server crashes in between, the stake stays reserved, so a limit is never
 * exceeded.
 */
export function createKeyOrders(ctx: Ctx): KeyOrders {
  return {
    async place(keyId, order, place) {
      const reserved = await ctx.db.transaction().execute((tx) => reserve(tx, keyId, order, ctx.now()))
      if (!reserved.ok) return reserved
      const placed = await place()
      if (!placed.ok && reserved.value) await release(ctx.db, order)
      return placed
    },
  }
}

/**
 * Reserves the stake of an order. Returns whether it was reserved. If the user already placed an order with this id
 * without a key, nothing is reserved, because the engine only repeats the reply to that order.
 */
async function reserve(
  tx: Tx,
  keyId: string,
  { userId, clientOrderId, stake }: KeyOrder,
  now: Instant,
): Promise<Result<boolean, KeyOrderRefusal>> {
  // The lock makes the orders of one key run one after the other, so that they are counted exactly.
  const key = await tx
    .selectFrom('api_key')
    .select(['max_stake', 'max_stake_day', 'max_open_orders'])
    .where('user_id', '=', userId)
    .where('id', '=', keyId)
    .where('end_reason', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  // The key has ended since the message was admitted.
  if (key === undefined) return refuse('not_signed_in')
  const before = await findUse(tx, { userId, clientOrderId })
  if (before.isByHand) return ok(false)
  if (before.key !== null) {
    // The id has a reservation already. An order with another stake or key must not be accepted under it.
    if (before.key.id !== keyId || before.key.stake !== stake) return refuse('order_conflict')
    await sql`update key_order set holds = holds + 1
      where user_id = ${userId} and client_order_id = ${clientOrderId}`.execute(tx)
    return ok(true)
  }
  if (key.max_stake !== null && stake > key.max_stake) return refuse('key_cap_reached')
  if (key.max_stake_day !== null || key.max_open_orders !== null) {
    const used = await findKeyUse(tx, { userId, keyId }, now)
    if (key.max_stake_day !== null && used.stakedToday + stake > key.max_stake_day) return refuse('key_cap_reached')
    if (key.max_open_orders !== null && used.openOrders >= key.max_open_orders) return refuse('key_cap_reached')
  }
  await tx
    .insertInto('key_order')
    .values({ user_id: userId, client_order_id: clientOrderId, key_id: keyId, stake, at_ms: now })
    .execute()
  return ok(true)
}

async function release(db: Db, { userId, clientOrderId }: KeyOrder): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const own = sql`user_id = ${userId} and client_order_id = ${clientOrderId}`
    await sql`update key_order set holds = holds - 1 where ${own}`.execute(tx)
    await sql`delete from key_order where ${own} and holds = 0`.execute(tx)
  })
}

async function findUse(
  tx: Tx,
  { userId, clientOrderId }: Pick<KeyOrder, 'userId' | 'clientOrderId'>,
): Promise<{ readonly key: { readonly id: string; readonly stake: bigint } | null; readonly isByHand: boolean }> {
  const { rows } = await sql<{ key_id: string | null; stake: bigint | null; is_placed: boolean }>`
    select k.key_id, k.stake, exists (select from open_order o where o.user_id = id.user_id and o.client_order_id = id.name)
      or exists (select from order_history h where h.client_order_id = id.name and h.user_id = id.user_id) as is_placed
    from (select ${userId}::uuid as user_id, ${clientOrderId}::text as name) id
    left join key_order k on k.user_id = id.user_id and k.client_order_id = id.name`.execute(tx)
  const [row] = rows
  const key = row?.key_id && row.stake !== null ? { id: row.key_id, stake: row.stake } : null
  return { key, isByHand: key === null && row?.is_placed === true }
}

/** 1 minute: if an order with a reservation is neither open nor settled after this time, it was not accepted. */
const IN_PROGRESS_MS = MINUTE_MS

/** Returns the sum of the stakes of a key on this UTC day, the number of its open orders, and the cash of its user. */
export async function findKeyUse(
  db: Db | Tx,
  { userId, keyId }: { readonly userId: string; readonly keyId: string },
  now: Instant,
): Promise<{ readonly stakedToday: Money; readonly openOrders: number; readonly cash: Money }> {
  const { rows } = await sql<{ staked: bigint; open: number; cash: bigint }>`
    select (select coalesce(sum(k.stake), 0)::int8 from key_order k
        where k.user_id = ${userId} and k.key_id = ${keyId} and k.at_ms >= ${dayStartedAt('utc', now)}::int8) as staked,
      (select count(*)::int4 from key_order k where k.user_id = ${userId} and k.key_id = ${keyId} and (
        exists (select from open_order o where o.user_id = k.user_id and o.client_order_id = k.client_order_id)
        or k.at_ms > ${now - IN_PROGRESS_MS}::int8 and not exists (
          select from order_history h where h.client_order_id = k.client_order_id and h.user_id = k.user_id)
      )) as open,
      (select b.cash from balance b where b.user_id = ${userId}) as cash`.execute(db)
  const [row] = rows
  return { stakedToday: money(row?.staked ?? 0n), openOrders: row?.open ?? 0, cash: money(row?.cash ?? 0n) }
}
