import { uuidv7 } from 'uuidv7'
import { randomBytes } from 'node:crypto'
import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { BUY } from '#core/orders/order.ts'
import { TRX_BYTES, trxFrom } from '#core/orders/trx.ts'
import { assert } from '#core/result.ts'
import { instant, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { acceptWholeUsers } from '#server/trading/engine/accept-whole-users.queries.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { BTC, ONE_MINUTE } from '#test/support/market-fixtures.ts'

const MAX_OPEN_ORDERS = 100
const LONG_MS = 120 * MINUTE_MS

/** Accepts orders one by one with the engine's own statement. */
export interface ByStatement {
  /** Accepts `orders` orders and resolves to the milliseconds of each. */
  times(orders: number): Promise<number[]>
  /** Ids of the accepted orders. */
  readonly acceptedIds: readonly string[]
}

export async function oneByStatement(db: Db, userIds: readonly string[]): Promise<ByStatement> {
  const last = await db
    .selectFrom('tick_batch')
    .select(['last_seq', 'hash'])
    .orderBy('last_seq', 'desc')
    .executeTakeFirst()
  assert(last, 'there are prices')
  const head = { lastSeq: Number(last.last_seq), hash: last.hash }
  const acceptedIds: string[] = []
  const plan = (): PlannedOrder => {
    const now = instant(Date.now())
    const entry = { symbolId: BTC.id, seq: head.lastSeq, price: price(6_728_410), volume: volume(1), time: now }
    return {
      userId: userIds[acceptedIds.length % userIds.length] ?? '',
      orderId: uuidv7(),
      clientOrderId: uuidv7(),
      trx: trxFrom(randomBytes(TRX_BYTES), now),
      direction: BUY,
      stake: money(2_000n),
      maxTickAgeMs: BTC.maxTickAgeMs,
      isBot: false,
      receivedAt: now,
      head,
      placement: {
        symbol: BTC,
        terms: ONE_MINUTE,
        entry: { ...entry, receivedAt: now, source: 'bench' },
        openedAt: now,
        expiresAt: later(now, LONG_MS),
      },
    }
  }
  return {
    acceptedIds,
    async times(orders) {
      const times: number[] = []
      for (let nth = 0; nth < orders; nth += 1) {
        const order = plan()
        const started = performance.now()
        const [balance] = await acceptWholeUsers(db, [order], MAX_OPEN_ORDERS)
        times.push(performance.now() - started)
        assert(balance !== null, 'every order is taken')
        acceptedIds.push(order.orderId)
      }
      return times
    },
  }
}
