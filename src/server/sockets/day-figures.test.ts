import fastify, { type FastifyInstance } from 'fastify'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { exchangeRest } from '#contract/exchange-rest.ts'
import { isOpen } from '#core/markets/calendar/sessions.ts'
import { foldTicks } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { DAY_MS, HOUR_MS, instant, type Instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { HistoryRange } from '#server/market-data/feeds/base/feed.ts'
import { tickerProduct } from '#server/market-data/wire/tick-messages.ts'
import { binanceRoutes } from '#server/market-data/wire/binance.routes.ts'
import { coinbaseRoutes } from '#server/market-data/wire/coinbase.routes.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import { loadMarketList } from '#server/trading/market-list/market-list.ts'
import { marketStatus } from '#server/market-data/hours/market-status.ts'
import { type LiveBench, type LiveStart, openLiveBench, type TestSocket } from '#test/support/socket-harness.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const SYMBOLS = [BTC, AAPL]
const POLL = { interval: 5 }

let bench: LiveBench | null = null
let http: FastifyInstance | null = null
afterEach(close)

async function close(): Promise<void> {
  await http?.close()
  await bench?.close()
  http = null
  bench = null
}

async function open(start: LiveStart = {}): Promise<LiveBench> {
  bench = await openLiveBench(database, {}, start)
  const { ctx, catalogue, ticks } = bench
  http = fastify()
  const parts = { ctx, catalogue, ticks, takeByAddress: () => 0 }
  binanceRoutes(http, parts)
  coinbaseRoutes(http, parts)
  await http.ready()
  return bench
}

async function ask<Q extends { path: string; reply: z.ZodType }>(
  question: Q,
  address: string,
): Promise<z.output<Q['reply']>> {
  const reply = await http?.inject({ url: `/api${address}` })
  return question.reply.parse(reply?.json()) as z.output<Q['reply']>
}

/** The figures of a symbol as one endpoint reports them. Fields that an endpoint lacks are left out. */
interface Figures {
  readonly price: number
  readonly time?: number
  readonly open?: number
  readonly high?: number
  readonly low?: number
  readonly change?: number | null
  readonly volume?: number
}

type Message = Readonly<Record<string, unknown>>

/** Reads the figures of a symbol from every endpoint at this instant. */
async function look(on: LiveBench): Promise<Map<string, Map<string, Figures>>> {
  const { ctx, catalogue, ticks, connect } = on
  const places = new Map<string, Map<string, Figures>>()
  const put = (place: string, code: string, figures: Figures) =>
    places.set(place, (places.get(place) ?? new Map<string, Figures>()).set(code, figures))

  const [app, ticker, streams] = [await connect('/ws/app'), await connect('/ws/ticker'), await connect('/stream')]
  app.say({ action: 'subscribe' })
  ticker.say({ type: 'subscribe', product_ids: SYMBOLS.map(tickerProduct) })
  const names = SYMBOLS.flatMap(({ productId }) =>
    ['ticker', 'miniTicker'].map((kind) => `${productId.toLowerCase()}@${kind}`),
  )
  streams.say({ method: 'SUBSCRIBE', params: names, id: 1 })

  const { currencies } = await loadMarketList({ ctx, catalogue, ticks }, null, { favoritesOnly: false, language: 'en' })
  for (const { symbol, price: last, lastTickTime, open: opened, high, low, change, volume: traded } of currencies) {
    if (last === null || lastTickTime === null || opened === null || high === null || low === null || traded === null)
      continue
    put('list', symbol, { price: last, time: lastTickTime, open: opened, high, low, change, volume: traded })
  }
  const priced = SYMBOLS.filter(({ code }) => places.get('list')?.has(code))
  await vi.waitFor(() => {
    expect(messagesOf(app).length).toBeGreaterThanOrEqual(inApp(on, priced).length)
    expect(ticker.typed('ticker').length).toBeGreaterThanOrEqual(priced.length)
    expect(messagesOf(streams).length).toBeGreaterThanOrEqual(1 + 2 * priced.length)
  }, POLL)
  for (const { s, c, P, E, t } of messagesOf(app))
    put('app', codeOf(s), { price: Number(c), change: Number(P), time: Number(E ?? t) })
  for (const { product_id, price: last, time, ...rest } of ticker.typed('ticker') as Message[]) {
    put('channel', String(product_id).replace('-USD', ''), {
      price: Number(last),
      time: Date.parse(String(time)),
      open: Number(rest['open_24h']),
      high: Number(rest['high_24h']),
      low: Number(rest['low_24h']),
      volume: Number(rest['volume_24h']),
    })
  }
  for (const { data } of messagesOf(streams)) {
    if (typeof data !== 'object' || data === null) continue
    const { e, s, c, o, h, l, v, P, C } = data as Message
    const shown = { price: Number(c), open: Number(o), high: Number(h), low: Number(l), volume: Number(v) }
    if (e === '24hrMiniTicker') put('@miniTicker', codeOf(s), shown)
    else put('@ticker', codeOf(s), { ...shown, change: Number(P), time: Number(C) })
  }
  for (const found of [await ask(exchangeRest.dayTicker, '/v3/ticker/24hr')].flat()) {
    put('ticker/24hr', codeOf(found.symbol), {
      price: Number(found.lastPrice),
      time: found.closeTime,
      open: Number(found.openPrice),
      high: Number(found.highPrice),
      low: Number(found.lowPrice),
      volume: Number(found.volume),
      ...('priceChangePercent' in found && { change: Number(found.priceChangePercent) }),
    })
  }
  for (const symbol of priced) {
    const product = `/products/${tickerProduct(symbol)}`
    const { price: last, time } = await ask(exchangeRest.productTicker, `${product}/ticker`)
    put('product ticker', symbol.code, { price: Number(last), time: Date.parse(time) })
    const stats = await ask(exchangeRest.productStats, `${product}/stats`)
    const [opened, high, low] = [Number(stats.open), Number(stats.high), Number(stats.low)]
    put('stats', symbol.code, { price: Number(stats.last), open: opened, high, low, volume: Number(stats.volume) })
  }
  for (const socket of [app, ticker, streams]) socket.ws.terminate()
  return places
}

function messagesOf(socket: TestSocket): Message[] {
  return socket.messages as unknown as Message[]
}

function codeOf(product: unknown): string {
  return String(product).replace(/USDT$/, '')
}

/** Returns the symbols whose figures the app receives: symbols with a tick, and symbols of a closed market. */
function inApp({ ctx, catalogue, ticks }: LiveBench, symbols: readonly ListedSymbol[]): readonly ListedSymbol[] {
  const isOpen = marketStatus(catalogue, ctx.now())
  return symbols.filter(({ id, marketType }) => ticks.latest(id) !== null || !isOpen[marketType])
}

/** Expects equal and consistent figures from all endpoints. */
async function expectOneBasis(on: LiveBench, newest: ReadonlyMap<string, number>): Promise<void> {
  // The server may still be reading the ticks of 24 hours ago, so the check is repeated.
  await vi.waitFor(async () => {
    const places = await look(on)
    const list = places.get('list') ?? new Map<string, Figures>()
    expect(new Map([...list].map(([code, figures]) => [code, figures.price]))).toEqual(newest)
    for (const [place, bySymbol] of places) {
      const listed = SYMBOLS.filter(({ code }) => list.has(code))
      const shown = place === 'app' ? inApp(on, listed) : listed
      expect([...bySymbol.keys()].toSorted(), place).toEqual(shown.map(({ code }) => code).toSorted())
      for (const [code, figures] of bySymbol) expect(list.get(code), `${code} in ${place}`).toMatchObject(figures)
    }
    for (const { price: last, open: opened = 0, high = 0, low = 0, change } of list.values()) {
      expect(low).toBeLessThanOrEqual(Math.min(last, opened))
      expect(high).toBeGreaterThanOrEqual(Math.max(last, opened))
      expect(change).toBeCloseTo(((last - opened) / opened) * 100, 3)
    }
  }, POLL)
}

interface Said {
  readonly price: ReturnType<typeof price>
  readonly volume: ReturnType<typeof volume>
  readonly time: Instant
}

type Step =
  | { readonly kind: 'say'; readonly symbol: number; readonly move: number; readonly size: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'away'; readonly ms: number }
  | { readonly kind: 'look' }

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('say' as const),
        symbol: fc.nat(1),
        move: fc.integer({ min: -90, max: 90 }),
        size: fc.nat(5_000_000),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        ms: fc.constantFrom(250, 61_000, 5 * MINUTE_MS + 7, 3 * HOUR_MS, 11 * HOUR_MS),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('away' as const),
        ms: fc.constantFrom(11 * MINUTE_MS, 2 * HOUR_MS, 30 * HOUR_MS),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'look' as const }) },
  ),
  { minLength: 6, maxLength: 14 },
)

/** Runs a plan of steps. While the server is down, trades continue, and the providers' history contains them. */
async function live(plan: readonly Step[]): Promise<void> {
  await database.truncateAll()
  const truth = new Map<number, Said[]>(SYMBOLS.map(({ id }) => [id, []]))
  let on = await open()
  const newest = () =>
    new Map(
      SYMBOLS.flatMap(
        ({ id, code }) =>
          truth
            .get(id)
            ?.slice(-1)
            .map((said) => [code, said.price / 100] as const) ?? [],
      ),
    )
  const next = (id: number, move: number) => Math.max(1, (truth.get(id)?.at(-1)?.price ?? 10_000) + move)
  for (const step of plan) {
    if (step.kind === 'look') await expectOneBasis(on, newest())
    else if (step.kind === 'wait') on.ctx.clock.jump(step.ms)
    else if (step.kind === 'say') {
      const { id, marketType } = SYMBOLS[step.symbol] ?? BTC
      // Stocks have no prices outside their session, so none can be missed there.
      if (!isOpen(marketType, on.ctx.now())) continue
      const said = { price: price(next(id, step.move)), volume: volume(step.size), time: on.ctx.now() }
      truth.get(id)?.push(said)
      await on.priced(id, said.price, said.volume)
    } else {
      const left = on.ctx.now()
      await close()
      const feed = new ScriptedFeed(SYMBOLS)
      for (const { id, marketType } of SYMBOLS) {
        const trades = truth.get(id)
        for (const share of [0.4, 0.8])
          if (isOpen(marketType, instant(Math.floor(left + step.ms * share))))
            trades?.push({
              price: price(next(id, 7)),
              volume: volume(1_000_000),
              time: instant(Math.floor(left + step.ms * share)),
            })
        feed.past.set(id, foldTicks(trades ?? [], '1m'))
      }
      on = await open({ at: instant(left + step.ms), feed })
      await expectOneBasis(on, newest())
    }
  }
  await expectOneBasis(on, newest())
  await close()
}

describe('price, open, high, low, change and volume', () => {
  it('P12: are equal at every endpoint at every moment, after any ticks, gaps and backfills', async () => {
    let lives = 0
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        await live(plan)
        lives += 1
      }),
      { numRuns: 6, endOnFailure: true },
    )
    expect(lives).toBe(6)
  })

  it('P12: are those at the close of the session when the server was down at that time', async () => {
    const close20 = Date.UTC(2026, 2, 18, 20)
    const said = (time: number, units: number): Said => ({
      price: price(units),
      volume: volume(1_000_000),
      time: instant(time),
    })
    const on = await open({ at: instant(close20 - 4 * MINUTE_MS) })
    await on.priced(AAPL.id, 250_00, 1_000_000)
    await close()
    const feed = new ScriptedFeed(SYMBOLS)
    const minutes = foldTicks(
      [said(close20 - 4 * MINUTE_MS, 250_00), said(close20 - 61 * SECOND_MS, 255_00), said(close20 - 1, 249_85)],
      '1m',
    )
    feed.past.set(AAPL.id, minutes)
    const later = await open({ at: instant(close20 + 2 * HOUR_MS), feed })
    await expectOneBasis(later, new Map([['AAPL', 249.85]]))
    expect((await look(later)).get('list')?.get('AAPL')).toMatchObject({ high: 255, low: 249.85, volume: 3 })
  })
})

describe('the price of 24 hours ago', () => {
  it('P15: equals the last tick at that instant, and high, low and volume start after it', async () => {
    const plan = fc.array(
      fc.record({
        wait: fc.constantFrom(1_000, 47_000, 131_000, 5 * MINUTE_MS, 38 * MINUTE_MS, 3 * HOUR_MS),
        move: fc.integer({ min: -80, max: 80 }),
        size: fc.nat(3_000_000),
      }),
      { minLength: 20, maxLength: 30 },
    )
    const looks = fc.array(fc.constantFrom(0, 1, 999, 20_000, 63_000, 5 * MINUTE_MS, 2 * HOUR_MS), {
      minLength: 6,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(plan, looks, async (ticks, waits) => {
        await database.truncateAll()
        let on = await open()
        const said: Said[] = []
        for (const { wait, move, size } of ticks) {
          on.ctx.clock.jump(wait)
          const one = { price: price(10_000 + move), volume: volume(size), time: on.ctx.now() }
          said.push(one)
          await on.priced(BTC.id, one.price, one.volume)
        }
        const first = said[0]?.time ?? 0
        // The clock starts at a time at which the 24-hour window begins among these ticks.
        on.ctx.clock.jump(Math.max(0, first + DAY_MS + 90_000 - on.ctx.now()))
        for (const [index, wait] of waits.entries()) {
          on.ctx.clock.jump(wait)
          if (index === 3) {
            const at = on.ctx.now()
            await close()
            on = await open({ at })
          }
          // Triggers the server's check for ticks that left the window.
          on.ctx.clock.advance(20_000)
          const begin = on.ctx.now() - DAY_MS
          const inside = said.filter(({ time }) => time > begin)
          const opened = said.findLast(({ time }) => time <= begin)?.price ?? 0
          const last = said.at(-1)?.price ?? 0
          const prices = [opened, last, ...inside.map((one) => one.price)]
          const wanted = {
            open: opened,
            last,
            high: Math.max(...prices),
            low: Math.min(...prices),
            volume: inside.reduce((sum, one) => sum + one.volume, 0),
          }
          await vi.waitFor(() => expect(on.ticks.day(BTC.id)).toMatchObject(wanted), POLL)
          expect(on.ticks.quote(BTC.id)).toMatchObject({ open: opened, last })
        }
        await close()
      }),
      { numRuns: 5, endOnFailure: true },
    )
  })
})

/** A Sunday. Friday's session of New York ended at 20:00 UTC. */
const SUNDAY = instant(Date.UTC(2026, 2, 22, 12))
const FRIDAY_CLOSE = Date.UTC(2026, 2, 20, 20)
const STREAMS = ['kline_1m', 'kline_5m', 'kline_30m', 'kline_1h', 'kline_1d', 'ticker', 'miniTicker'] as const

/** A feed whose history arrives only when the test calls `know`. */
class LatePast extends ScriptedFeed {
  private readonly listeners = new Set<(stretch: HistoryRange) => void>()
  readonly onHistoryChanged = (listener: (stretch: HistoryRange) => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  know(symbolId: number, minutes: ReturnType<typeof foldTicks>): void {
    this.past.set(symbolId, minutes)
    const [from, until] = [minutes[0]?.openTime ?? instant(0), instant(FRIDAY_CLOSE)]
    for (const interval of ['1m', '5m', '30m', '1h', '1d'] as const)
      for (const listener of this.listeners) listener({ symbolId, interval, from, until })
  }
}

function fridayOf(close20: number): ReturnType<typeof foldTicks> {
  const said = (time: number, units: number): Said => ({
    price: price(units),
    volume: volume(1_000_000),
    time: instant(time),
  })
  return foldTicks(
    [said(close20 - HOUR_MS, 240_00), said(close20 - 30 * SECOND_MS, 250_00), said(close20 - 1, 249_85)],
    '1m',
  )
}

/** Returns the first message of each stream and of the ticker channel, while the clock stands still. */
async function firstMessages(on: LiveBench, meanwhile: () => void = () => {}): Promise<Message[]> {
  const ticker = await on.connect('/ws/ticker')
  ticker.say({ type: 'subscribe', product_ids: ['AAPL-USD'] })
  const streams = await on.connect(`/ws/${STREAMS.map((kind) => `aapl@${kind}`).join('/')}`)
  await vi.waitFor(() => expect(ticker.typed('subscriptions')).toHaveLength(1), POLL)
  meanwhile()
  await vi.waitFor(() => {
    expect(streams.frames).toHaveLength(STREAMS.length)
    expect(ticker.typed('ticker')).toHaveLength(1)
  }, POLL)
  return [...messagesOf(streams), ...messagesOf(ticker).filter(({ type }) => type === 'ticker')]
}

function expectFriday(messages: readonly Message[]): void {
  for (const { E, C, k, c, price: last, time, trade_id: id } of messages) {
    const bar = k as { c: string; t: number; T: number } | undefined
    expect(Number(bar?.c ?? c ?? last)).toBe(249.85)
    // For a bar of the history, only the opening time is certain. No message may claim a newer price.
    for (const at of [E, C, typeof time === 'string' ? Date.parse(time) : undefined]) {
      if (at === undefined) continue
      expect(at).toBeGreaterThanOrEqual(bar === undefined ? FRIDAY_CLOSE - 5 * MINUTE_MS : bar.t)
      expect(at).toBeLessThan(FRIDAY_CLOSE)
    }
    if (last !== undefined) expect(id).toBe(0)
  }
}

describe('a closed market on a fresh start', () => {
  it('P13: sends the newest price of the history at once, with its own time', async () => {
    const feed = new ScriptedFeed(SYMBOLS)
    feed.past.set(AAPL.id, fridayOf(FRIDAY_CLOSE))
    const messages = await firstMessages(await open({ at: SUNDAY, feed }))
    expectFriday(messages)
    const candles = messages.flatMap(({ k }) =>
      k === undefined ? [] : (k as { i: string; t: number; x: boolean; v: string }),
    )
    const newestFirst = candles.toSorted((a, b) => b.t - a.t)
    expect(newestFirst.map(({ i, t, x }) => [i, t, x])).toEqual([
      ['1m', FRIDAY_CLOSE - MINUTE_MS, true],
      ['5m', FRIDAY_CLOSE - 5 * MINUTE_MS, true],
      ['30m', FRIDAY_CLOSE - 30 * MINUTE_MS, true],
      ['1h', FRIDAY_CLOSE - HOUR_MS, true],
      ['1d', FRIDAY_CLOSE - 20 * HOUR_MS, true],
    ])
    expect(messages.find(({ e }) => e === '24hrTicker')).toMatchObject({
      o: '249.85000000',
      P: '0.000',
      L: -1,
      Q: '0.00000000',
    })
  })

  it('P13: sends its price as soon as the history arrives', async () => {
    const feed = new LatePast(SYMBOLS)
    const on = await open({ at: SUNDAY, feed })
    const messages = await firstMessages(on, () => feed.know(AAPL.id, fridayOf(FRIDAY_CLOSE)))
    expect(messages).toHaveLength(STREAMS.length + 1)
    expectFriday(messages)
    await expectOneBasis(on, new Map([['AAPL', 249.85]]))
  })

  it('P13: sends the last tick if there is one, however old', async () => {
    const before = await open({ at: instant(FRIDAY_CLOSE - 30 * SECOND_MS) })
    await before.priced(AAPL.id, 249_85)
    const { time, receivedAt, seq } = before.ticks.latest(AAPL.id) ?? {}
    await close()
    const messages = await firstMessages(await open({ at: SUNDAY }))
    const channel = messages.find(({ type }) => type === 'ticker')
    expect(channel).toMatchObject({
      price: '249.8500',
      trade_id: seq,
      time: new Date(time ?? 0).toISOString().replace('Z', '000Z'),
    })
    expect(messages.find(({ e }) => e === '24hrTicker')).toMatchObject({ E: receivedAt, C: time, L: seq })
    expect(messages.find(({ e }) => e === '24hrMiniTicker')).toMatchObject({ E: receivedAt })
    for (const { E, k } of messages.filter(({ e }) => e === 'kline')) {
      // No server was running at the end of the bar, so the bar is not marked as closed.
      expect(k).toMatchObject({ c: '249.85000000' })
      expect(E).toBe(receivedAt)
    }
  })

  it('P13: sends the app the same price, marked as history, and accepts no order on it', async () => {
    const feed = new ScriptedFeed(SYMBOLS)
    feed.past.set(AAPL.id, fridayOf(FRIDAY_CLOSE))
    const on = await open({ at: SUNDAY, feed })
    const socket = await on.connect('/ws/app')
    socket.say({ action: 'watch', symbols: ['AAPL'] })
    await vi.waitFor(() => expect(socket.messages).toHaveLength(1), POLL)
    expect(socket.messages[0]).toEqual({ s: 'AAPL', c: 249.85, P: 0, t: FRIDAY_CLOSE - 5 * MINUTE_MS, past: true })
    expect(on.ticks.latest(AAPL.id)).toBeNull()
  })

  it('P13: sends the app nothing of an open market before the first tick', async () => {
    const feed = new ScriptedFeed(SYMBOLS)
    for (const { id } of SYMBOLS) feed.past.set(id, fridayOf(FRIDAY_CLOSE))
    const on = await open({ at: SUNDAY, feed })
    const socket = await on.connect('/ws/app')
    socket.say({ action: 'subscribe' })
    socket.say({ action: 'ping' })
    await vi.waitFor(() => expect(socket.typed('pong')).toHaveLength(1), POLL)
    expect(messagesOf(socket).flatMap(({ s }) => s ?? [])).toEqual(['AAPL'])
    await on.priced(BTC.id, 100_00)
    await on.until(() => socket.prices('BTCUSDT').length > 0)
    expect(messagesOf(socket).find(({ s }) => s === 'BTCUSDT')).not.toHaveProperty('past')
  })

  it('P13: sends nothing for a symbol without any price', async () => {
    const on = await open({ at: SUNDAY })
    const socket = await on.connect('/ws/aapl@ticker/aapl@kline_1m')
    await on.priced(BTC.id, 1)
    socket.say({ method: 'LIST_SUBSCRIPTIONS', id: 7 })
    await vi.waitFor(() => expect(socket.frames).toHaveLength(1), POLL)
    expect(socket.frames[0]).toContain('"id":7')
  })
})

it('P15: reports the price of 24 hours ago to the millisecond', async () => {
  const on = await open()
  const at = TEST_START
  for (const units of [101, 102, 103]) {
    await on.priced(BTC.id, units)
    on.ctx.clock.jump(at + 60_000 * (units - 100) - on.ctx.now())
  }
  // 101 at 15:00:00, 102 at 15:01:00, 103 at 15:02:00.
  const opened = async (ms: number) => {
    on.ctx.clock.jump(at + DAY_MS + ms - on.ctx.now())
    await vi.waitFor(() => expect(on.ticks.quote(BTC.id)?.open).not.toBeUndefined(), POLL)
    return () => on.ticks.quote(BTC.id)?.open
  }
  const ends: [number, number][] = [
    [59_999, 101],
    [60_000, 102],
    [119_999, 102],
    [120_000, 103],
  ]
  for (const [ms, wanted] of ends) {
    const now = await opened(ms)
    await vi.waitFor(() => expect(now()).toBe(wanted), POLL)
  }
})
