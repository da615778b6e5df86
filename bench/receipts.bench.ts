// What receipts cost: orders are taken and settled by the real engine on PostgreSQL, in turn with their receipts made
// meanwhile and with their receipts made afterwards, by themselves. Goal and gate: accepting and settling take at most 5 %
// longer meanwhile. Many short rounds, as the machine may be busy with something else, and their lower quartiles are
// compared. The processor time (of this process and the database) of making receipts by themselves is told besides, as a
// part of that of accepting and settling. BENCH_ORDERS says how many orders in all (100,000).
import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { money } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { later, MINUTE_MS } from '#core/time/instant.ts'
import { createEngine, type RunningEngine } from '#server/engine/create-engine.ts'
import { checkLedger } from '#server/ledger/check-ledger.ts'
import { createReceiptMaker } from '#server/receipts/make-receipts.ts'
import { makeSigningKey } from '#server/receipts/signing-key.ts'
import type { Clock } from '#server/context.ts'
import type { Committed } from '#server/engine/committed.ts'
import { createVault } from '#server/secrets/vault.ts'
import { createContext, createTools, systemClock } from '#server/system.ts'
import { createTicks } from '#server/ticks/create-ticks.ts'
import { BTC, createFundedUser, fixedCatalogue, ONE_MINUTE } from '#testing/market-fixtures.ts'
import { openPostgresTestDatabase } from '#testing/postgres-test-database.ts'
import { ScriptedFeed } from '#testing/scripted-feed.ts'
import { TEST_START } from '#testing/test-context.ts'
import { median } from './lib/median.ts'
import { type ProcessorTime, processorClock } from './lib/processor-time.ts'

const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 100_000)
const PER_ROUND = 1_000
const USERS = 500
const MOST_COST = 0.05
const PARTS = ['accept', 'settle', 'both'] as const
type Part = (typeof PARTS)[number]

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
/** Runs as ever, but for the minutes that nobody wants to wait. */
let skippedMs = TEST_START - systemClock.now()
const clock: Clock = { ...systemClock, now: () => later(systemClock.now(), skippedMs) }
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: console.error }
const vault = createVault([new Uint8Array(32)], createTools().randomBytes)
const ctx = createContext({ db: database.db, log: quiet, clock, vault })
const catalogue = fixedCatalogue()
const feed = new ScriptedFeed(catalogue.symbols)
const ticks = createTicks({ ctx, feed, symbols: catalogue.symbols })
const receipts = createReceiptMaker(ctx, catalogue, await makeSigningKey())
const limits = { mostOpenOrders: 1_000, longestQueue: PER_ROUND }
const parts = { ctx, ticks, catalogue, connections: 10, limits }
const processors = processorClock(ctx.db)
const kept: Committed[] = []
const rounds: { plain: Round; signing: Round }[] = []
let orders = 0
try {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${ORDERS} orders`,
  )
  await ticks.start()
  const users: string[] = []
  for (let at = 0; at < USERS; at += 1) users.push(await createFundedUser(ctx, money(1_000_000_000n)))
  await speak(6_728_410)
  const plain = createEngine({ ...parts, onCommitted: (committed) => kept.push(committed) })
  const signing = createEngine({ ...parts, onCommitted: (committed) => receipts.made(committed) })
  for (const engine of [plain, signing]) await engine.start()
  for (let warm = 0; warm < 4; warm += 1) for (const engine of [plain, signing]) await round(engine, users)
  for (let done = 0; done < ORDERS; done += 2 * PER_ROUND) {
    const isPlainFirst = (done / PER_ROUND) % 4 === 0
    const first = await round(isPlainFirst ? plain : signing, users)
    const second = await round(isPlainFirst ? signing : plain, users)
    rounds.push(isPlainFirst ? { plain: first, signing: second } : { plain: second, signing: first })
  }
  assert((await checkLedger(ctx.db)).clean, 'the books add up')
  for (const part of PARTS) {
    const pairs = rounds.map((pair) => pair.signing[part] / pair.plain[part])
    console.log(
      `${part}: without ${perOrder(quick('plain', part))}, with ${perOrder(quick('signing', part))} µs an order (lower quartiles), ratio ${slower(part).toFixed(3)}; median of pairs ${median(pairs).toFixed(3)}`,
    )
  }
  const cost = median(rounds.map(({ plain: { all, made } }) => sum(made) / sum(all)))
  for (const what of ['all', 'made'] as const) {
    const of = (whose: keyof ProcessorTime) => perOrder(median(rounds.map((pair) => pair.plain[what][whose])))
    const name = what === 'all' ? 'accepting and settling' : 'making both receipts'
    console.log(`${name}: ${of('server')} µs of this process and ${of('database')} µs of the database an order`)
  }
  console.log(`processor time of receipts: ${(cost * 100).toFixed(1)} % of accepting and settling`)
  console.log(
    `receipts were ready ${median(rounds.map((pair) => pair.signing.lag)).toFixed(0)} ms after the last result (median)`,
  )
  process.exitCode = slower('both') <= 1 + MOST_COST ? 0 : 1
  for (const engine of [plain, signing]) await engine.stop()
} finally {
  await receipts.stop()
  await ticks.stop()
  await database.close()
}

interface Round extends Readonly<Record<Part, number>> {
  /** Of the whole round, and of making its receipts when that came afterwards. */
  readonly all: ProcessorTime
  readonly made: ProcessorTime
  readonly lag: number
}

function quick(name: 'plain' | 'signing', part: Part): number {
  const sorted = rounds.map((pair) => pair[name][part]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN
}

function slower(part: Part): number {
  return quick('signing', part) / quick('plain', part)
}

function sum({ server, database: ofDatabase }: ProcessorTime): number {
  return server + ofDatabase
}

/** Takes and settles some orders; milliseconds of each part, and for how long receipts were still made after it. */
async function round(engine: RunningEngine, users: readonly string[]): Promise<Round> {
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
  skippedMs += 1_000
  await speak(6_728_501)
  const due = performance.now()
  await engine.settleDue()
  const settle = performance.now() - due
  const ended = performance.now()
  await receipts.idle()
  const lag = performance.now() - ended
  const all = await processors()
  for (const committed of kept.splice(0)) receipts.made(committed)
  await receipts.idle()
  const made = await processors()
  return { accept, settle, both: accept + settle, all, made, lag }
}

async function speak(units: number): Promise<void> {
  const time = ctx.now()
  feed.tick(BTC.id, units, time)
  while (ticks.latest(BTC.id)?.time !== time) await sleep(1)
}

function perOrder(ms: number | undefined): string {
  return (((ms ?? 0) * 1_000) / PER_ROUND).toFixed(0)
}
