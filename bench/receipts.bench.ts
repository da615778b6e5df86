// What receipts cost: orders are taken and settled by the real engine on PostgreSQL, in turn with and without their
// receipts being made. Gate and goal: accepting and settling are at most 5 % slower (median of the rounds' ratios), and
// receipts keep up. BENCH_ORDERS says how many orders in all (100,000).
import { cpus, loadavg } from 'node:os'
import { money } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { createEngine, type RunningEngine } from '#server/engine/create-engine.ts'
import { checkLedger } from '#server/ledger/check-ledger.ts'
import { createReceiptMaker } from '#server/receipts/make-receipts.ts'
import { makeSigningKey } from '#server/receipts/signing-key.ts'
import { createTicks } from '#server/ticks/create-ticks.ts'
import { BTC, createFundedUser, fixedCatalogue, ONE_MINUTE } from '#testing/market-fixtures.ts'
import { openPostgresTestDatabase } from '#testing/postgres-test-database.ts'
import { ScriptedFeed } from '#testing/scripted-feed.ts'
import { createTestContext } from '#testing/test-context.ts'
import { median } from './lib/median.ts'

const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 100_000)
const PER_ROUND = 5_000
const USERS = 500
const MOST_COST = 0.05

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
const ctx = createTestContext(database.db)
const catalogue = fixedCatalogue()
const feed = new ScriptedFeed(catalogue.symbols)
const ticks = createTicks({ ctx, feed, symbols: catalogue.symbols })
const receipts = createReceiptMaker(ctx, catalogue, await makeSigningKey())
const limits = { mostOpenOrders: 1_000, longestQueue: PER_ROUND }
const parts = { ctx, ticks, catalogue, connections: 10, limits }
let orders = 0
try {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${ORDERS} orders`,
  )
  await ticks.start()
  const users: string[] = []
  for (let at = 0; at < USERS; at += 1) users.push(await createFundedUser(ctx, money(1_000_000_000n)))
  await speak(6_728_410)
  const plain = createEngine(parts)
  const signing = createEngine({ ...parts, onCommitted: (kind, taken) => receipts.made(kind, taken) })
  for (const engine of [plain, signing]) await engine.start()
  await round(plain, users)
  await round(signing, users)
  const ratios: Record<'accept' | 'settle' | 'both', number[]> = { accept: [], settle: [], both: [] }
  const lags: number[] = []
  for (let done = 0; done < ORDERS; done += 2 * PER_ROUND) {
    const isPlainFirst = (done / PER_ROUND) % 4 === 0
    const first = await round(isPlainFirst ? plain : signing, users)
    const second = await round(isPlainFirst ? signing : plain, users)
    const [without, with_] = isPlainFirst ? [first, second] : [second, first]
    for (const part of ['accept', 'settle', 'both'] as const) ratios[part].push(with_[part] / without[part])
    lags.push(with_.lag)
  }
  assert((await checkLedger(ctx.db)).clean, 'the books add up')
  for (const part of ['accept', 'settle', 'both'] as const) {
    const all = ratios[part]
    console.log(`${part}: with : without ${text(median(all))} (${text(Math.min(...all))} to ${text(Math.max(...all))})`)
  }
  console.log(`receipts were ready ${median(lags).toFixed(0)} ms after the last of ${PER_ROUND} results (median)`)
  process.exitCode = median(ratios.both) <= 1 + MOST_COST ? 0 : 1
  for (const engine of [plain, signing]) await engine.stop()
} finally {
  await receipts.stop()
  await ticks.stop()
  await database.close()
}

/** Takes and settles some orders; milliseconds of each part, and for how long receipts were still made after it. */
async function round(engine: RunningEngine, users: readonly string[]) {
  await speak(6_728_410)
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
  ctx.clock.jump(MINUTE_MS - 100)
  await speak(6_728_500)
  ctx.clock.jump(200)
  await speak(6_728_501)
  const due = performance.now()
  await engine.settleDue()
  const settle = performance.now() - due
  const ended = performance.now()
  await receipts.idle()
  return { accept, settle, both: accept + settle, lag: performance.now() - ended }
}

async function speak(units: number): Promise<void> {
  const time = ctx.now()
  feed.tick(BTC.id, units, time)
  ctx.clock.advance(100)
  while (ticks.latest(BTC.id)?.time !== time) await new Promise((resolve) => setImmediate(resolve))
}

function text(ratio: number): string {
  return ratio.toFixed(3)
}
