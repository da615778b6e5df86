import fc from 'fast-check'
import { calls } from '#contract/calls.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { DAY_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Feed, FeedSink } from '#server/market-data/feeds/base/feed.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import { noteDaysOnce } from '#server/proof/receipts/note-log-days.ts'
import type { TestDatabase } from '#test/support/database.ts'
import type { FakeClock } from '#test/support/fake-clock.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { waitUntilLogged } from '#test/support/wait-until-logged.ts'

/** One symbol of each kind. */
const SYMBOLS = CATALOGUE.filter(({ code }) => ['BTC', 'AAPL', 'EURUSD'].includes(code))
const ORDERS_FOR_SECONDS = 45
/**
 * The duration of a run. Orders are placed in the first 45 s. The last one expires a minute later. 66 s after that,
 * orders on a silent market are void.
 */
const WHOLE_SECONDS = ORDERS_FOR_SECONDS + 60 + 66
const USERS = 2
/** 100 ms: step of the clock while an order is held. */
const HELD_PACE_MS = 100

interface Silence {
  readonly symbol: number
  readonly fromSecond: number
  readonly seconds: number
  /** If true, neither prices nor heartbeats of the symbol arrive. If false, only prices are missing. */
  readonly isDead: boolean
}

interface Plan {
  readonly seed: string
  /** Price steps in units, by symbol. Larger steps give more draws. */
  readonly steps: readonly number[]
  readonly silences: readonly Silence[]
  readonly orders: readonly {
    readonly atSecond: number
    readonly user: number
    readonly symbol: number
    readonly isBuy: boolean
    /** The first duration ends within the run, the second does not. */
    readonly setting: 1 | 2
    readonly stake: number
  }[]
  /** The steps by which the clock advances, in ms, used in turn. */
  readonly pacesMs: readonly number[]
}

const symbol = fc.nat(SYMBOLS.length - 1)
const user = fc.nat(USERS - 1)
const isBuy = fc.boolean()
const stake = fc.integer({ min: 2_000, max: 9_000 })

/** Gives each run one order of each kind: with a price, void for either reason, and open. */
const ALWAYS = [
  { atSecond: 3, symbol: 0, setting: 1 },
  { atSecond: 4, symbol: 1, setting: 1 },
  { atSecond: 5, symbol: 2, setting: 1 },
  { atSecond: 6, symbol: 0, setting: 2 },
] as const
const ALWAYS_SILENT: readonly Silence[] = [
  { symbol: 1, fromSecond: 58, seconds: 80, isDead: true },
  { symbol: 2, fromSecond: 42, seconds: 30, isDead: false },
]

/** In every plan, the first of these orders has expired by this second. */
const FIRST_EXPIRED_SECOND = 70
/**
 * Keeps the symbol of the first order from being silent before that order expires. Otherwise the order would be void
 * too.
 */
function spareFirst(silence: Silence): Silence {
  const { symbol: at, fromSecond } = silence
  return at === ALWAYS[0].symbol ? { ...silence, fromSecond: Math.max(fromSecond, FIRST_EXPIRED_SECOND) } : silence
}

/** A period of a simulated market with orders. */
export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  seed: fc.string(),
  steps: fc.tuple(...SYMBOLS.map(() => fc.constantFrom(1, 20, 5_000))),
  silences: fc
    .array(
      fc.record({
        symbol,
        fromSecond: fc.integer({ min: 20, max: 100 }),
        seconds: fc.integer({ min: 3, max: 90 }),
        isDead: fc.boolean(),
      }),
      { maxLength: 2 },
    )
    .map((some) => [...ALWAYS_SILENT, ...some.map(spareFirst)]),
  orders: fc
    .tuple(
      fc.tuple(...ALWAYS.map((order) => fc.record({ user, isBuy, stake }).map((rest) => ({ ...rest, ...order })))),
      fc.array(
        fc.record({
          atSecond: fc.nat(ORDERS_FOR_SECONDS),
          user,
          symbol,
          isBuy,
          setting: fc.constantFrom(1, 1, 1, 2),
          stake,
        }),
        { maxLength: 10 },
      ),
    )
    .map(([always, some]) => [...always, ...some]),
  pacesMs: fc.array(fc.constantFrom(300, 900, 1_700), { minLength: 3, maxLength: 3 }),
})

/** An order with all data that the public, or the order's user, can download. */
export interface SimulatedOrder {
  readonly trx: string
  readonly receipts: { readonly accepted: unknown; readonly result: unknown }
  readonly evidence: { readonly entry_log: unknown; readonly exit_log: unknown; readonly line: unknown }
}

export interface Simulated {
  readonly orders: readonly SimulatedOrder[]
  /** The published keys, in the format of the calls. */
  readonly keys: unknown
  readonly heads: unknown
  /** The texts of the exported days of the tick log, by file name. */
  readonly days: ReadonlyMap<string, string>
}

/** Runs the whole server on the simulated market and downloads what it publishes. */
export async function simulate(database: TestDatabase, plan: Plan): Promise<Simulated> {
  const app = await createTestApp(database, { feedOn: (clock) => marketOf(clock, plan) })
  await app.startMarkets()
  const users: TestUser[] = []
  for (let at = 0; at < USERS; at++) {
    const user = await app.verifiedUser()
    await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
    users.push(user)
  }
  const start = app.ctx.now()
  const secondsNow = () => (app.ctx.now() - start) / SECOND_MS
  const placedOrders: { trx: string; token: string }[] = []
  const waiting = plan.orders.toSorted((a, b) => a.atSecond - b.atSecond)
  for (let step = 0; secondsNow() < WHOLE_SECONDS; step++) {
    await pass(app, plan.pacesMs[step % plan.pacesMs.length] ?? SECOND_MS)
    while ((waiting[0]?.atSecond ?? Infinity) <= secondsNow())
      placedOrders.push(...(await place(app, users, waiting.shift())))
  }
  const orders = await download(app, placedOrders)
  // Open orders end long after their expiry, as if the machine had slept.
  app.ctx.clock.jump(DAY_MS)
  await pass(app, SECOND_MS)
  app.ctx.clock.jump(DAY_MS)
  await pass(app, SECOND_MS)
  const late = orders.filter(isRunning).flatMap(({ trx }) => placedOrders.filter((one) => one.trx === trx))
  orders.push(...(await download(app, late)))
  await noteDaysOnce(app.ctx)
  const heads = (await app.call(calls.proofHeads)).body
  const days = new Map<string, string>()
  for (const { day } of heads.data.days) {
    const { payload } = await app.http.inject({ method: 'GET', url: `/api/ticks/${day}.csv` })
    days.set(`ticks-${day}.csv`, payload)
  }
  const keys = (await app.call(calls.proofKeys)).body
  await app.stop()
  return { orders, keys, heads, days }
}

function isRunning({ receipts }: SimulatedOrder): boolean {
  return receipts.result === null
}

/** The simulated market with coarser prices and gaps. */
function marketOf(clock: FakeClock, { seed, steps, silences }: Plan): Feed {
  const feed = createSyntheticFeed({ clock, seed, symbols: SYMBOLS })
  const start = clock.now()
  const silenceOf = (symbolId: number, time: number) =>
    silences.find((one) => {
      const from = start + one.fromSecond * SECOND_MS
      return SYMBOLS[one.symbol]?.id === symbolId && time >= from && time < from + one.seconds * SECOND_MS
    })
  const coarse = (symbolId: number, units: number) => {
    const step = steps[SYMBOLS.findIndex(({ id }) => id === symbolId)] ?? 1
    return price(Math.max(1, Math.round(units / step) * step))
  }
  const through = (sink: FeedSink): FeedSink => ({
    ...sink,
    tick(tick) {
      if (silenceOf(tick.symbolId, tick.time) === undefined)
        sink.tick({ ...tick, price: coarse(tick.symbolId, tick.price) })
    },
    heartbeat(symbolId, time) {
      if (silenceOf(symbolId, time)?.isDead !== true) sink.heartbeat(symbolId, time)
    },
  })
  return { ...feed, start: (sink) => feed.start(through(sink)) }
}

/** Advances the clock, and settles what the prices of that time decide. */
async function pass(app: TestApp, ms: number): Promise<void> {
  app.ctx.clock.advance(ms)
  await waitUntilLogged(app, SYMBOLS)
  await app.engine.settleDue()
}

async function place(app: TestApp, users: readonly TestUser[], order: Plan['orders'][number] | undefined) {
  const user = users[order?.user ?? 0]
  if (order === undefined || user === undefined) return []
  const placing = app.engine.place({
    userId: user.id,
    clientOrderId: app.ctx.newId(),
    direction: order.isBuy ? BUY : SELL,
    tradeSettingId: order.setting,
    stake: money(BigInt(order.stake)),
    symbol: SYMBOLS[order.symbol]?.code ?? '',
    marketType: null,
    slippageGuard: null,
  })
  // An order is held while prices arrive late, as the first prices after a start do.
  while (app.engine.load().held > 0) await pass(app, HELD_PACE_MS)
  const placed = await placing
  // The server refuses the order if the newest price is too old.
  return placed.ok ? [{ trx: placed.value.trx, token: user.token }] : []
}

async function download(app: TestApp, orders: readonly { trx: string; token: string }[]): Promise<SimulatedOrder[]> {
  await app.receipts.idle()
  const found: SimulatedOrder[] = []
  for (const { trx, token } of orders) {
    const receipts = (await app.call(calls.proofReceipt, { params: { trx }, token })).body.data
    const evidence = (await app.call(calls.proofEvidence, { params: { trx } })).body.data
    found.push({ trx, receipts, evidence })
  }
  return found
}
