import type { SourceIndex } from '#core/markets/sources/arbiter-types.ts'
import { countUnused, type UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import { DAY_MS, HOUR_MS, type Instant, later } from '#core/time/instant.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import type { FeedSink } from '#server/market-data/feeds/base/feed.ts'
import { FollowedSymbol } from '#server/market-data/feeds/multi-source/followed-symbol.ts'
import type { PlannedSymbol } from '#server/market-data/feeds/multi-source/plan-sources.ts'
import type { Provider, ProviderSink, ProviderSymbol, Quote } from '#server/market-data/feeds/providers/provider.ts'

/** The data that one source of one symbol sent during the probe. */
export interface ProbeResult {
  readonly planned: PlannedSymbol
  readonly provider: string
  readonly symbol: string
  readonly first: readonly Quote[]
  readonly last: Quote | null
  readonly quotes: number
  /** The number of heartbeats without a price. */
  readonly alive: number
  /** Receipt time minus source time of each price, up to a maximum number of entries. */
  readonly lagsMs: readonly number[]
  readonly troubles: readonly string[]
  /** Reported trades that made no price, by reason: counted by the adapter and by the symbol's arbiter. */
  readonly unused: Readonly<UnusedTradeCounts>
  /** The provider's trades whose message did not name the symbol. */
  readonly unplaced: Readonly<UnusedTradeCounts>
  readonly history: ProbedHistory
}

export type ProbedHistory =
  | { readonly kind: 'bars'; readonly count: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly why: string }

export interface ProbeOptions {
  readonly clock: Clock
  readonly providers: ReadonlyMap<string, Provider>
  readonly symbols: readonly PlannedSymbol[]
  readonly seconds: number
}

const MAX_FIRST_QUOTES = 3
const MAX_LAGS = 10_000
const HISTORY_WITHIN_MS = 15_000

type Writable = { -readonly [K in keyof ProbeResult]: ProbeResult[K] } & {
  readonly first: Quote[]
  readonly lagsMs: number[]
  readonly troubles: string[]
  readonly unplaced: UnusedTradeCounts
}

/** Connects to all providers, listens for a while, requests some history, and disconnects. */
export async function probeSources({ clock, providers, symbols, seconds }: ProbeOptions): Promise<ProbeResult[]> {
  const judged = new Map(symbols.map((planned) => [planned, judgeOf(planned, clock.now())]))
  const results = symbols.flatMap((planned) => planned.sources.map((source) => begin(planned, source)))
  for (const { planned, provider, symbol } of results) {
    const channel = planned.sources.find((one) => one.provider === provider && one.symbol === symbol)?.channel
    providers.get(provider)?.follow({ symbol, channel: channel ?? 'trade' } satisfies ProviderSymbol)
  }
  const of = (name: string) => results.filter(({ provider }) => provider === name)
  for (const [name, provider] of providers) provider.start(listenerOf(clock, of(name), judged))
  const historyQueries = [...providers].map(([name, provider]) => askForPast(clock, provider, of(name)))
  await pass(clock, seconds * 1_000)
  await Promise.race([Promise.all(historyQueries), pass(clock, HISTORY_WITHIN_MS)])
  await Promise.all([...providers.values()].map((provider) => provider.stop()))
  for (const [planned, judge] of judged) {
    judge.look(clock.now())
    for (const [index, { unused }] of judge.health().entries()) {
      const { provider, symbol } = planned.sources[index] ?? {}
      const source = results.find(
        (one) => one.planned === planned && one.provider === provider && one.symbol === symbol,
      )
      if (source !== undefined) source.unused = unused
    }
  }
  return results
}

/**
 * Creates the arbiter that a server would use for the sources of a symbol. The probe reads only its counts of unused
 * trades.
 */
function judgeOf({ symbol, sources, limits }: PlannedSymbol, startedAt: Instant): FollowedSymbol {
  const sink: FeedSink = { tick: () => undefined, heartbeat: () => undefined, doubt: () => undefined }
  return new FollowedSymbol({ symbol, from: { sources, limits }, startedAt, sink, onIncident: () => undefined })
}

function begin(planned: PlannedSymbol, { provider, symbol }: PlannedSymbol['sources'][number]): Writable {
  const past: ProbedHistory = { kind: 'failed', why: 'no answer in time' }
  const emptyResult = {
    first: [],
    last: null,
    quotes: 0,
    alive: 0,
    lagsMs: [],
    troubles: [],
    unused: {},
    unplaced: {},
    history: past,
  }
  return { planned, provider, symbol, ...emptyResult }
}

function listenerOf(
  clock: Clock,
  sources: readonly Writable[],
  judged: ReadonlyMap<PlannedSymbol, FollowedSymbol>,
): ProviderSink {
  const bySymbol = new Map(sources.map((source) => [source.symbol, source]))
  const judge = (source: Writable, tell: (judge: FollowedSymbol, index: SourceIndex) => void): void => {
    const { sources: planned } = source.planned
    const index = planned.findIndex(({ provider, symbol }) => provider === source.provider && symbol === source.symbol)
    const one = judged.get(source.planned)
    if (one !== undefined && (index === 0 || index === 1)) tell(one, index)
  }
  const note = (symbol: string | null, text: string): void => {
    const meant = symbol === null ? sources : [bySymbol.get(symbol)]
    for (const source of meant) if (source && !source.troubles.includes(text)) source.troubles.push(text)
  }
  return {
    quote(quote) {
      const source = bySymbol.get(quote.symbol)
      if (source === undefined) return
      source.quotes += 1
      source.last = quote
      if (source.first.length < MAX_FIRST_QUOTES) source.first.push(quote)
      if (source.lagsMs.length < MAX_LAGS) source.lagsMs.push(clock.now() - quote.time)
      judge(source, (one, index) => one.quote(index, quote, clock.now()))
    },
    alive(symbol, time) {
      const source = bySymbol.get(symbol)
      if (source === undefined) return
      source.alive += 1
      judge(source, (one, index) => one.alive(index, time, clock.now()))
    },
    connected: () => undefined,
    unused(symbol, reason) {
      const source = symbol === null ? undefined : bySymbol.get(symbol)
      if (source !== undefined) return judge(source, (one, index) => one.unused(index, reason))
      for (const one of sources) countUnused(one.unplaced, reason)
    },
    trouble(trouble) {
      note('symbol' in trouble ? trouble.symbol : null, `${trouble.kind}: ${trouble.why}`)
    },
  }
}

/** Requests the last hour of bars, which is cheap. On a weekend the last bars of a stock are days old. */
async function askForPast(clock: Clock, { history }: Provider, sources: readonly Writable[]): Promise<void> {
  for (const source of sources) {
    if (history === null) {
      source.history = { kind: 'none' }
      continue
    }
    const before = clock.now()
    const from = later(before, source.planned.symbol.marketType === 'crypto' ? -HOUR_MS : -4 * DAY_MS)
    const interval = source.planned.symbol.marketType === 'crypto' ? '1m' : '1h'
    try {
      const bars = await history.candles({ symbol: source.symbol, interval, from, before })
      source.history = { kind: 'bars', count: bars.length }
    } catch (error) {
      source.history = { kind: 'failed', why: error instanceof Error ? error.message : 'no answer' }
    }
  }
}

function pass(clock: Clock, ms: number): Promise<Instant> {
  return new Promise((resolve) => {
    clock.after(ms, () => resolve(clock.now()))
  })
}
