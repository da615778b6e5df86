import { vi } from 'vitest'
import type { SourceTick } from '#core/markets/tick.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { money } from '#core/money/money.ts'
import { readDirection } from '#core/orders/order.ts'
import type { Result } from '#core/result.ts'
import { later } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import { createEngine, type RunningEngine } from '#server/trading/engine/create-engine.ts'
import type { AcceptedOrder, OrderRefusal } from '#server/trading/engine/engine.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { limitsOf } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import { createMarketFeed } from '#server/market-data/feeds/multi-source/market-feed.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { END, type FaultName, script } from './fault-script.ts'
import { BTC, createFundedUser, fixedCatalogue, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { ScriptedProvider } from '#test/support/scripted-provider.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'

export interface FaultCase {
  readonly fault: FaultName
  readonly sources: 1 | 2
}

export const CASH = 100_000_000n
export const STAKE = 10_000n
export const ORDER_SECONDS = 10
/** Orders are placed once a second, 450 ms after the start of the second, when nothing else happens. */
const PLACED_AT = 450
const FIRST_ORDER_AT = 8_000
const LAST_ORDER_AT = 70_000
/**
 * Until the last order, the clock advances in steps of 500 ms. Afterwards the run only waits for void orders, so steps
 * of 5 s are enough.
 */
const STEP_MS = 500
const LAST_STEPS_MS = 5_000

export interface PlacedOrder {
  /** When the order is placed, in ms since the start of the run. */
  readonly at: number
  readonly isBuy: boolean
  readonly answer: Result<AcceptedOrder, OrderRefusal>
  settled: SettledOrder | null
}

export interface CaseRun extends FaultCase {
  readonly symbol: ListedSymbol
  readonly userId: string
  readonly orders: PlacedOrder[]
  /** The ticks that the feed passed on, with their times. */
  readonly ticks: { readonly at: number; readonly tick: SourceTick }[]
}

export interface FaultRun {
  readonly ctx: TestContext
  readonly cases: readonly CaseRun[]
}

/**
 * Runs all cases together, each as its own symbol, through the real feed, ticks, engine and ledger. This also shows
 * that a fault of one symbol does not affect another.
 */
export async function runFaults(database: TestDatabase, wanted: readonly FaultCase[]): Promise<FaultRun> {
  const ctx = createTestContext(database.db)
  const cases = await openCases(ctx, wanted)
  const symbols = cases.map(({ symbol }) => symbol)
  const providers = [new ScriptedProvider('first'), new ScriptedProvider('second')] as const
  const counts: TickCounts = { passedOn: 0, logged: 0 }
  const feed = recordedFeed(createFeed(ctx, cases, providers), { ctx, cases, counts })
  const ticks = createTicks({ ctx, feed, symbols, flushMs: 1 })
  ticks.onBatch((batch) => void (counts.logged += batch.ticks.length))
  await ticks.start()
  const engine = createEngine({
    ctx,
    ticks,
    catalogue: fixedCatalogue({ symbols, settings: [{ ...ONE_MINUTE, seconds: ORDER_SECONDS }] }),
    connections: database.connections,
    limits: { ledgerCheckMs: END * 2 },
  })
  await engine.start()
  scheduleScripts(ctx, cases, providers)
  await new Play({ ctx, counts, ticks, engine }).run(cases)
  await engine.stop()
  await ticks.stop()
  noteResults(ctx, cases)
  return { ctx, cases }
}

async function openCases(ctx: TestContext, wanted: readonly FaultCase[]): Promise<CaseRun[]> {
  const cases: CaseRun[] = []
  for (const [at, one] of wanted.entries()) {
    const symbol: ListedSymbol = { ...BTC, id: at + 1, code: `S${at}`, productId: `S${at}USDT` }
    cases.push({ ...one, symbol, userId: await createFundedUser(ctx, money(CASH)), orders: [], ticks: [] })
  }
  return cases
}

function createFeed(ctx: TestContext, cases: readonly CaseRun[], providers: readonly ScriptedProvider[]): Feed {
  return createMarketFeed({
    clock: ctx.clock,
    log: ctx.log,
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    symbols: cases.map(({ symbol }) => symbol),
    sourcesOf: ({ code }) => {
      const known = cases.find(({ symbol }) => symbol.code === code)
      const sources = providers.slice(0, known?.sources ?? 1)
      return {
        sources: sources.map(({ name }) => ({ provider: name, symbol: code, channel: 'trade' })),
        limits: limitsOf({}, {}),
      }
    },
    history: () => Promise.resolve([]),
    onIncident: () => undefined,
  })
}

/** The number of ticks that the feed passed on, and how many of them are already in the tick log. */
interface TickCounts {
  passedOn: number
  logged: number
}

/** Records the ticks of each case as the feed passes them on. */
function recordedFeed(
  market: Feed,
  { ctx, cases, counts }: { ctx: TestContext; cases: readonly CaseRun[]; counts: TickCounts },
): Feed {
  return {
    ...market,
    start: (sink) =>
      market.start({
        ...sink,
        tick(tick) {
          counts.passedOn += 1
          const known = cases.find(({ symbol }) => symbol.id === tick.symbolId)
          known?.ticks.push({ at: ctx.clock.now() - TEST_START, tick })
          sink.tick(tick)
        },
      }),
  }
}

/** Makes the providers send what the script of each case says, when the clock reaches it. */
function scheduleScripts(
  { clock }: TestContext,
  cases: readonly CaseRun[],
  providers: readonly [ScriptedProvider, ScriptedProvider],
): void {
  for (const { symbol, fault, sources } of cases) {
    for (const { source, kind, at, time, units } of script(fault, sources)) {
      const provider = providers[source]
      const happened = later(TEST_START, time)
      clock.after(at, () => {
        if (kind === 'quote') provider.quote(symbol.code, formatDecimal(BigInt(units), symbol.decimals), happened)
        else provider.alive(symbol.code, happened)
      })
    }
  }
}

interface PlayParts {
  readonly ctx: TestContext
  readonly counts: TickCounts
  readonly ticks: TickService
  readonly engine: RunningEngine
}

/** Moves the clock through the script, places orders on the way, and settles the due orders. */
class Play {
  readonly #parts: PlayParts
  readonly #placing: Promise<void>[] = []
  #placed = 0
  #answered = 0
  /** The instants at which delayed orders are released, and the instants one ms earlier. */
  readonly #releases = new Set<number>()

  constructor(parts: PlayParts) {
    this.#parts = parts
  }

  async run(cases: readonly CaseRun[]): Promise<void> {
    for (let at = PLACED_AT; at <= END + LAST_STEPS_MS; at += at < LAST_ORDER_AT ? STEP_MS : LAST_STEPS_MS) {
      await this.#reachReleases(at)
      await this.#reach(at)
      await this.#parts.engine.settleDue()
      const isDue = at % 1_000 === PLACED_AT && at >= FIRST_ORDER_AT && at <= LAST_ORDER_AT
      if (isDue) this.#placing.push(...cases.map((one) => this.#place(at, one)))
      await this.#reach(at)
    }
    await Promise.all(this.#placing)
  }

  async #place(at: number, { symbol, userId, orders }: CaseRun): Promise<void> {
    const { ticks, engine } = this.#parts
    const isBuy = (at - PLACED_AT) % 2_000 === 0
    this.#placed += 1
    const late = ticks.feedDelayMs(symbol.id)
    for (const before of [0, 1]) this.#releases.add(at + late - before)
    const answer = await engine.place({
      userId,
      clientOrderId: `${symbol.code} ${at}`,
      direction: readDirection(isBuy ? 1 : 2),
      tradeSettingId: ONE_MINUTE.id,
      stake: money(STAKE),
      symbol: symbol.code,
      marketType: null,
      slippageGuard: null,
    })
    this.#answered += 1
    orders.push({ at, isBuy, answer, settled: null })
  }

  async #reachReleases(until: number): Promise<void> {
    for (const release of [...this.#releases].toSorted((one, other) => one - other)) {
      if (release >= until) break
      this.#releases.delete(release)
      await this.#reach(Math.max(release, this.#parts.ctx.clock.now() - TEST_START))
    }
  }

  /** Advances to an instant and waits until all work that was due by then is done. */
  async #reach(at: number): Promise<void> {
    const { ctx, counts, engine } = this.#parts
    ctx.clock.advance(TEST_START + at - ctx.clock.now())
    await vi.waitFor(
      () => {
        ctx.clock.advance(0)
        if (counts.logged !== counts.passedOn) throw new Error('some ticks are not in the log yet')
        if (this.#answered + engine.load().held !== this.#placed) throw new Error('some orders are not accepted yet')
      },
      { interval: 1, timeout: 20_000 },
    )
  }
}

/** Notes in each accepted order how it was settled. */
function noteResults(ctx: TestContext, cases: readonly CaseRun[]): void {
  const settled = new Map<string, SettledOrder>()
  for (const event of ctx.announced) if (event.kind === 'order-settled') settled.set(event.order.orderId, event.order)
  for (const { orders } of cases) {
    orders.sort((one, other) => one.at - other.at)
    for (const order of orders) {
      if (order.answer.ok) order.settled = settled.get(order.answer.value.orderId) ?? null
    }
  }
}
