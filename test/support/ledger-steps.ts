import fc from 'fast-check'
import { sql } from 'kysely'
import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { acceptWholeUsers } from '#server/trading/engine/accept-whole-users.queries.ts'
import { loadDueOrders } from '#server/trading/engine/due-orders.queries.ts'
import { settleBatch } from '#server/trading/engine/settle.queries.ts'
import { writeSettlementPrices } from '#server/trading/engine/settlement-prices.queries.ts'
import { BTC, insertDeposit } from '#test/support/market-fixtures.ts'
import { plannedOrder } from '#test/support/order-fixtures.ts'
import type { TestContext } from '#test/support/test-context.ts'

const ENTRY = 6_728_410
const MAX_OPEN_ORDERS = 100

/** Generators of the steps that fill the ledger of three users. */
export const BOOK_STEPS = [
  fc.record({
    do: fc.constant('pay in' as const),
    user: fc.nat({ max: 2 }),
    amount: fc.bigInt({ min: 1n, max: 999n }),
  }),
  fc.record({ do: fc.constant('order' as const), user: fc.nat({ max: 2 }), direction: fc.constantFrom(BUY, SELL) }),
  fc.record({ do: fc.constant('settle' as const), exit: fc.constantFrom(-1, 0, 1, null) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 5 * MINUTE_MS }) }),
] as const

export type BookStep = (typeof BOOK_STEPS)[number] extends fc.Arbitrary<infer T> ? T : never

/** Executes steps of `BOOK_STEPS` in sequence. All orders between two settlements share one expiry. */
export function createBookkeeper(ctx: TestContext, users: readonly string[], firstExpiry: Instant) {
  let expiresAt = firstExpiry
  return async (step: BookStep): Promise<void> => {
    if (step.do === 'pay in') await payIn(ctx, users[step.user] ?? '', step.amount)
    else if (step.do === 'order') await takeOrder(ctx, users[step.user] ?? '', step.direction, expiresAt)
    else if (step.do === 'wait') ctx.clock.advance(step.ms)
    else {
      await settleAll(ctx, expiresAt, step.exit)
      expiresAt = later(expiresAt, MINUTE_MS)
    }
  }
}

export const payIn = (ctx: TestContext, userId: string, amount: bigint, at = ctx.now()): Promise<unknown> =>
  ctx.db.transaction().execute((tx) => insertDeposit(tx, { userId, id: ctx.newId(), amount: money(amount), at }))

export async function takeOrder(
  ctx: TestContext,
  userId: string,
  direction: Direction,
  expiresAt: Instant,
): Promise<void> {
  const planned = plannedOrder(ctx, userId, { direction })
  await acceptWholeUsers(ctx.db, [{ ...planned, placement: { ...planned.placement, expiresAt } }], MAX_OPEN_ORDERS)
}

export async function settleAll(ctx: TestContext, expiresAt: Instant, exit: number | null): Promise<void> {
  const tick = { symbolId: BTC.id, seq: 2, volume: volume(1), source: 'test', time: expiresAt, receivedAt: expiresAt }
  const due = { symbolId: BTC.id, expiresAt }
  const decided = {
    ...due,
    exit: exit === null ? null : { ...tick, price: price(ENTRY + exit) },
    next: { ...tick, seq: 3, price: price(ENTRY), time: later(expiresAt, 1) },
    watermark: later(expiresAt, 1),
    voidReason: exit === null ? ('no_tick_before_expiry' as const) : null,
    maxTickAgeMs: 5_000,
    head: { lastSeq: 3, hash: new Uint8Array(32) },
    writerToken: null,
  }
  await writeSettlementPrices(ctx.db, [decided], ctx.now())
  const rows = (await loadDueOrders(ctx.db, [due], MAX_OPEN_ORDERS)).map(({ userId, orderId, facts, price: by }) => ({
    userId,
    orderId,
    settled: settleOrder(facts, by),
  }))
  await settleBatch(ctx.db, rows, ctx.now())
}

/** Returns the differences between expected and stored sums of the completed run. */
export const wrongSums = (db: Db): Promise<unknown[]> => wrongSumsOf(db, { run: 'run', until: 'until_ms' })

/** Returns the same differences for the recount in progress. */
export const wrongRecount = (db: Db): Promise<unknown[]> =>
  wrongSumsOf(db, { run: 'recount_run', until: 'recount_until_ms' })

async function wrongSumsOf(db: Db, columns: { run: string; until: string }): Promise<unknown[]> {
  const [run, until] = [sql.ref(columns.run), sql.ref(columns.until)]
  const flows = await sql`
    with kept as (
      select user_id, currency, from_account, to_account, amount, transfers
      from ledger_sum where run = (select ${run} from ledger_run)),
    counted as (
      select user_id, currency, from_account, to_account, sum(amount)::int8, count(*) from transfer
      where created_ms < (select ${until} from ledger_run) group by 1, 2, 3, 4)
    (table kept except table counted) union all (table counted except table kept)`.execute(db)
  const orders = await sql`
    with kept as (
      select user_id, staked, won, lost from ledger_order_sum where run = (select ${run} from ledger_run)),
    counted as (
      select user_id, sum(stake)::int8, sum(greatest(result_amount, 0))::int8, sum(greatest(-result_amount, 0))::int8
      from order_history where settled_ms < (select ${until} from ledger_run) group by 1)
    (table kept except table counted) union all (table counted except table kept)`.execute(db)
  return [...flows.rows, ...orders.rows]
}
