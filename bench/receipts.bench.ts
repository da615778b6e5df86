// Measures the cost of receipts: the real engine on PostgreSQL accepts and settles orders in rounds, alternating with
// and without receipts. Gate: accepting and settling take less than 5 % longer. A round is long enough for most
// receipts to be created while its orders are still being accepted or settled. Also prints the additional processor
// time (of this process and the database) until the last receipt of a round is stored. That includes work done while
// the engine waits for its database. Values are medians over pairs of consecutive rounds in alternating order, so that
// other load affects both equally. A 95 % bootstrap interval shows their precision. BENCH_ORDERS sets the total number
// of orders (100,000).
import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { money } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { later, MINUTE_MS } from '#core/time/instant.ts'
import { createEngine } from '#server/trading/engine/create-engine.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { createReceiptWorker } from '#server/proof/receipts/receipt-worker.ts'
import { makeSigningKey } from '#server/proof/receipts/signing-key.ts'
import type { CommittedBatch } from '#server/trading/engine/committed-batch.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import { BTC, createFundedUser, fixedCatalogue, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { bootstrap } from './lib/bootstrap.ts'
import { median } from './lib/median.ts'
import { onlyErrors } from './lib/only-errors.ts'
import { processorClock } from './lib/processor-time.ts'

const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 100_000)
const PER_ROUND = 2_500
const USERS = 500
const MAX_COST = 0.05
const PARTS = ['accept', 'settle', 'both', 'processor'] as const
type Part = (typeof PARTS)[number]

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
/** A real clock that can be moved forward, to skip minutes of waiting. */
let skippedMs = TEST_START - systemClock.now()
const clock = { ...systemClock, now: () => later(systemClock.now(), skippedMs) }
const vault = createVault([new Uint8Array(32)], createTools().randomBytes)
const ctx = createContext({ db: database.db, log: onlyErrors, clock, vault })
const catalogue = fixedCatalogue()
const feed = new ScriptedFeed(catalogue.symbols)
const ticks = createTicks({ ctx, feed, symbols: catalogue.symbols })
const receipts = createReceiptWorker(ctx, catalogue, await makeSigningKey())
const limits = { maxOpenOrders: 1_000, maxQueueLength: PER_ROUND }
let hasReceipts = false
let settled = 0
const engine = createEngine({ ctx, ticks, catalogue, connections: 10, limits, onCommitted: onCommitted })
const processors = processorClock(ctx.db)
const pairs: Pair[] = []
let orders = 0
let lastBatchAt = 0
try {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${ORDERS} orders`,
  )
  await ticks.start()
  const users: string[] = []
  for (let at = 0; at < USERS; at += 1) users.push(await createFundedUser(ctx, money(1_000_000_000n)))
  await speak(6_728_410)
  // This listener is registered before the engine's own, so that it notes the time before the engine handles a price.
  ticks.onBatch(() => (lastBatchAt = performance.now()))
  await engine.start()
  for (let warm = 0; warm < 4; warm += 1) await round(warm % 2 === 0, users)
  for (let done = 0; done < ORDERS; done += 2 * PER_ROUND) {
    const isFirstWith = pairs.length % 2 === 1
    const [first, second] = [await round(isFirstWith, users), await round(!isFirstWith, users)]
    pairs.push(isFirstWith ? { with: first, without: second } : { with: second, without: first })
  }
  assert((await checkLedger(ctx.db)).clean, 'the ledger reconciles')
  for (const part of PARTS) {
    const [low, high] = bootstrap(ratios(part)).map((ratio) => ratio.toFixed(3))
    console.log(
      `${part}: without ${middle('without', part)}, with ${middle('with', part)} µs an order (medians); median of the pairs ${median(ratios(part)).toFixed(3)} (${low} to ${high})`,
    )
  }
  console.log(
    `receipts were ready ${median(pairs.map((pair) => pair.with.lag)).toFixed(0)} ms after the last result (median)`,
  )
  process.exitCode = median(ratios('both')) < 1 + MAX_COST ? 0 : 1
  await engine.stop()
} finally {
  await receipts.stop()
  await ticks.stop()
  await database.close()
}

interface Round extends Readonly<Record<Part, number>> {
  readonly lag: number
}

interface Pair {
  readonly without: Round
  readonly with: Round
}

function middle(name: keyof Pair, part: Part): string {
  return ((median(pairs.map((pair) => pair[name][part])) * 1_000) / PER_ROUND).toFixed(0)
}

function ratios(part: Part): number[] {
  return pairs.map((pair) => pair.with[part] / pair.without[part])
}

function onCommitted(committed: CommittedBatch): void {
  if (hasReceipts) receipts.enqueue(committed)
  if (committed.kind === 'result') settled += committed.orders.length
}

/**
 * Accepts and settles some orders. Resolves to times in ms: for accepting, for settling, and from the last settlement
 * until the last receipt was stored.
 */
async function round(withReceipts: boolean, users: readonly string[]): Promise<Round> {
  hasReceipts = withReceipts
  await speak(6_728_410)
  await processors()
  const started = performance.now()
  const placed = await Promise.all(
    Array.from({ length: PER_ROUND }, (_, at) =>
      engine.place({
        userId: users[at % users.length] ?? '',
        clientOrderId: `order-${(orders += 1)}`,
        direction: at % 2 === 0 ? BUY : SELL,
        tradeSettingId: ONE_MINUTE.id,
        stake: money(1_000n),
        symbol: 'BTC',
        marketType: null,
        slippageGuard: null,
      }),
    ),
  )
  const accept = performance.now() - started
  const refused = placed.find(({ ok }) => !ok)
  assert(refused === undefined, `every order is taken: ${JSON.stringify(refused)}`)
  skippedMs += MINUTE_MS - 500
  await speak(6_728_500)
  settled = 0
  skippedMs += 1_000
  await speak(6_728_501)
  await engine.settleDue()
  assert(settled === PER_ROUND, `every order is settled: ${settled}`)
  const settledAt = performance.now()
  const settle = settledAt - lastBatchAt
  await receipts.idle()
  const lag = performance.now() - settledAt
  const { server, database: ofDatabase } = await processors()
  return { accept, settle, both: accept + settle, processor: server + ofDatabase, lag }
}

async function speak(units: number): Promise<void> {
  const time = ctx.now()
  feed.tick(BTC.id, units, time)
  while (ticks.latest(BTC.id)?.time !== time) await sleep(1)
}
