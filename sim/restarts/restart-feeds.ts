import type { Candle } from '#core/markets/candle.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, HOUR_MS, instant, later, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { limitsOf } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import {
  createProviderPast,
  withProviderPast,
} from '#server/market-data/feeds/multi-source/history/provider-history.ts'
import { createMarketFeed } from '#server/market-data/feeds/multi-source/market-feed.ts'
import type { ProviderHistory } from '#server/market-data/feeds/providers/provider.ts'
import { createReplayFeed } from '#server/market-data/feeds/replay/replay-feed.ts'
import { REPLAY_SOURCES } from '#server/market-data/feeds/replay/replay-symbols.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import type { WitnessedMarket } from '#test/support/candle-audit.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { ScriptedProvider } from '#test/support/scripted-provider.ts'
import type { RestartPlan } from './restart-plan.ts'
import { ScriptedExchange, type Trade } from './scripted-exchange.ts'

/** The feed of one run, and the function that drives its source. */
export interface RunFeed {
  readonly feed: Feed
  /**
   * Called every 100 ms with the time of the simulated world. A feed that generates its own prices ignores these calls.
   */
  readonly speak: (now: number) => void
}

/**
 * The folder with the recorded prices, relative to the project's folder, in which all workers run. A path relative to
 * this file would fail, because workers are bundled into another folder.
 */
const DATA = 'data'

type Outside = <T>(work: () => Promise<T>) => Promise<T>

/** A market that continues whether or not a server runs. */
export interface RestartMarket extends WitnessedMarket {
  feedFor(ctx: Ctx, startsAt: number): RunFeed
}

/** `outside` stops virtual time during real work. */
export function createRestartMarket(plan: RestartPlan, outside: Outside): RestartMarket {
  switch (plan.feed) {
    case 'synthetic':
      return computedMarket(plan, outside, (clock) =>
        createSyntheticFeed({
          clock,
          seed: String(plan.seed),
          symbols: CATALOGUE.filter(({ id }) => [1, 10, 101].includes(id)),
        }),
      )
    case 'replay': {
      const sources = REPLAY_SOURCES.filter(({ symbol }) => ['BTC', 'LTC'].includes(symbol.code))
      return computedMarket(plan, outside, (clock) =>
        createReplayFeed({
          clock,
          dataDir: DATA,
          startAt: instant(0),
          offsetMs: plan.seed * 7_919_003,
          sources,
        }),
      )
    }
    case 'exchange':
    case 'quotes':
      return exchange(plan, plan.feed === 'exchange')
  }
}

/**
 * A market whose prices depend on time alone. A second feed, whose clock is after the end of the run, gives the true
 * history.
 */
function computedMarket(
  { feed, runs }: RestartPlan,
  outside: Outside,
  make: (clock: Ctx['clock']) => Feed,
): RestartMarket {
  const end = later(instant(Math.max(...runs.map(({ endAt }) => endAt))), 25 * HOUR_MS)
  const truth = make(new FakeClock(end))
  const begins = Math.floor(Math.min(...runs.map(({ startAt }) => startAt)) / DAY_MS - 1) * DAY_MS
  const all = new Map<string, Promise<ReadonlyMap<number, Candle>>>()
  async function allBars(symbolId: number, interval: ChartInterval): Promise<ReadonlyMap<number, Candle>> {
    const limit = Math.ceil((end - begins) / intervalMs(interval))
    const bars = await outside(() => truth.history({ symbolId, interval, before: end, limit }))
    return new Map(bars.map((bar) => [bar.openTime, bar]))
  }
  return {
    symbols: truth.symbols,
    hasHistory: true,
    isExact: feed === 'replay',
    knowsEveryMinute: true,
    feedFor({ clock }) {
      const inner = make(clock)
      // The history begins recently, because pages of years are not tested here.
      const history: Feed['history'] = ({ limit, ...query }) => {
        const bars = Math.ceil((Math.min(query.before, clock.now()) - begins) / intervalMs(query.interval))
        return outside(() => inner.history({ ...query, limit: Math.max(0, Math.min(limit, bars)) }))
      }
      return { feed: { ...inner, history }, speak: () => undefined }
    },
    async bar({ id }, interval, openTime) {
      const key = `${id} ${interval}`
      const bars = all.get(key) ?? allBars(id, interval)
      all.set(key, bars)
      return (await bars).get(openTime) ?? null
    },
  }
}

const SYMBOLS: readonly MarketSymbol[] = [
  { id: 1, code: 'BTC', name: 'Bitcoin', marketType: 'crypto', decimals: 2, maxTickAgeMs: 5_000 },
  { id: 2, code: 'ETH', name: 'Ether', marketType: 'crypto', decimals: 2, maxTickAgeMs: 60_000 },
]
const PROVIDER = 'exchange'
const DELAY_MS = 40
/** The time that a feed needs to connect to the exchange. */
const CONNECTING_MS = 700

function exchange(plan: RestartPlan, hasHistory: boolean): RestartMarket {
  const first = later(plan.runs[0]?.startAt ?? instant(0), -3 * HOUR_MS)
  const market = new ScriptedExchange(plan.seed, first)
  return {
    symbols: SYMBOLS,
    hasHistory,
    isExact: true,
    knowsEveryMinute: false,
    bar: ({ code }, interval, openTime) => Promise.resolve(market.bar(code, interval, openTime)),
    feedFor(ctx, startsAt) {
      const provider = new ScriptedProvider(PROVIDER)
      const connectedAt = startsAt + CONNECTING_MS
      let sentUntil = 0
      let aliveAt = 0
      return {
        feed: providerFeed(ctx, provider, hasHistory ? market.history(() => ctx.now(), 2) : null),
        speak(now) {
          if (now < connectedAt || provider.isStopped) return
          const until = now - DELAY_MS
          for (const { code } of SYMBOLS) {
            const fresh = market.trades(code, sentUntil === 0 ? connectedAt : sentUntil, until)
            const before = sentUntil > 0 ? [] : market.trades(code, connectedAt - 90_000, connectedAt)
            const resent = plan.resent === 0 ? [] : before.slice(-plan.resent)
            for (const trade of [...resent, ...fresh]) say(provider, code, trade)
          }
          sentUntil = Math.max(until, connectedAt)
          if (now < aliveAt + SECOND_MS || until < connectedAt) return
          aliveAt = now
          for (const { code } of SYMBOLS) provider.alive(code, sentUntil - 1)
        },
      }
    },
  }
}

function say(provider: ScriptedProvider, symbol: string, trade: Trade): void {
  provider.quote(symbol, formatDecimal(BigInt(trade.price), 2), trade.time, {
    volume: formatDecimal(BigInt(trade.volume), 6),
  })
}

function providerFeed(ctx: Ctx, provider: ScriptedProvider, history: ProviderHistory | null): Feed {
  const sourcesOf = ({ code }: { readonly code: string }) => ({
    sources: [{ provider: PROVIDER, symbol: code, channel: 'trade' as const }],
    limits: limitsOf({}, {}),
  })
  const past = createProviderPast({
    ctx,
    providers: new Map([[PROVIDER, { history }]]),
    symbols: SYMBOLS,
    sourcesOf,
  })
  const live = createMarketFeed({
    clock: ctx.clock,
    log: ctx.log,
    providers: new Map([[PROVIDER, provider]]),
    symbols: SYMBOLS,
    sourcesOf,
    history: history === null ? () => Promise.resolve([]) : past.history,
    onIncident: () => undefined,
  })
  return history === null ? live : withProviderPast(live, past)
}
