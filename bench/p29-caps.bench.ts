// P29: orders per second through the acceptor while a cap is in force that no order reaches, compared with no cap. The
// orders of 3,000 users wait in the queue at once, and the engine accepts them in batches of 500 over two connections,
// on a durable PostgreSQL. Goal for the ratio: 0.97. Defaults: BENCH_PAIRS 7, BENCH_ORDERS 20,000 per run.
import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { GENESIS_HASH } from '#server/market-data/tick-log/tick-text.ts'
import { Acceptor } from '#server/trading/engine/acceptor.ts'
import { createEngineStore } from '#server/trading/engine/engine-store.ts'
import { capGate, insertBtc, termsWithCaps } from '#test/support/caps.ts'
import { BTC, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { machine, pairs, verdict } from './lib/pairs.ts'
import { addFundedUsers, assertLedger } from './lib/store-orders.ts'

const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 7)
const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 20_000)
const USERS = 3_000
const BATCH = 500
/** A million: the measurement must not hit the limit of open orders. */
const MAX_OPEN_ORDERS = 1_000_000
const HIGH_CAP = 99_999_999_999_999

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
console.log(`${machine()}, batches of ${BATCH} on ${database.orderLanes.length} connections`)
try {
  const ctx = createTestContext(database.db)
  await insertBtc(ctx)
  const users = await addFundedUsers(database.db, USERS)
  let runs = 0
  const rate = async (caps: Readonly<Record<string, number>>): Promise<number> => {
    runs += 1
    const catalogue = fixedCatalogue({ terms: termsWithCaps(caps) })
    const newest = { seq: 1, symbolId: BTC.id, price: price(6_000_000), volume: volume(1), source: 'bench' }
    const acceptor = new Acceptor({
      ctx,
      store: createEngineStore(ctx, () => null, database),
      ticks: {
        latest: () => ({ ...newest, time: ctx.now(), receivedAt: ctx.now() }),
        doubt: () => null,
        head: () => ({ lastSeq: 1, hash: GENESIS_HASH }),
        feedDelayMs: () => 0,
        waitingSince: () => null,
      },
      catalogue,
      caps: capGate(ctx, catalogue),
      lanes: database.orderLanes.length,
      maxBatchSize: BATCH,
      maxQueueLength: ORDERS,
      maxOpenOrders: MAX_OPEN_ORDERS,
      closed: () => null,
      onAccepted: () => undefined,
      onBatch: () => undefined,
    })
    const requests = Array.from({ length: ORDERS }, (_, at) =>
      orderRequest(users[at % USERS] ?? '', `run-${runs}-${at}`, { stake: money(1_000n) }),
    )
    const began = performance.now()
    const answers = await Promise.all(requests.map((request) => acceptor.place(request)))
    const seconds = (performance.now() - began) / 1_000
    const refused = answers.find((answer) => !answer.ok)
    if (refused?.ok === false) throw new Error(refused.refusal)
    return ORDERS / seconds
  }
  const caps = { symbol_BTC: HIGH_CAP, market_crypto: HIGH_CAP, site_all: HIGH_CAP, expiry_BTC: HIGH_CAP }
  for (const some of [{}, caps]) await rate(some)
  const none = ['no cap: orders a second', () => rate({})] as const
  const capped = await pairs(PAIRS, ['four caps in force', () => rate(caps)], [...none])
  verdict('P29 caps : none', capped, { gate: 0.5, goal: 0.97 })
  await assertLedger(database.db)
} finally {
  await database.close()
}
