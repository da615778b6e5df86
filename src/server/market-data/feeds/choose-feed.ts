import { CATALOGUE } from '#core/markets/catalogue.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { instant } from '#core/time/instant.ts'
import type { FeedsChoice, FeedsConfig } from '#server/market-data/feeds/base/feeds-config.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Feed, SourceHealth } from '#server/market-data/feeds/base/feed.ts'
import { joinFeeds } from '#server/market-data/feeds/base/join-feeds.ts'
import {
  createProviderPast,
  withProviderPast,
} from '#server/market-data/feeds/multi-source/history/provider-history.ts'
import { createProviders } from '#server/market-data/feeds/multi-source/create-providers.ts'
import { createMarketFeed } from '#server/market-data/feeds/multi-source/market-feed.ts'
import {
  planSources,
  type PlannedSymbol,
  type StoredSymbol,
} from '#server/market-data/feeds/multi-source/plan-sources.ts'
import { withIncidents } from '#server/market-data/feeds/multi-source/record-incidents.ts'
import { readFeedsFile } from '#server/market-data/feeds/multi-source/read-feeds-file.ts'
import { readStoredSymbols } from '#server/market-data/feeds/multi-source/stored-symbols.queries.ts'
import { createReplayFeed } from '#server/market-data/feeds/replay/replay-feed.ts'
import { simulatedSymbol } from '#server/market-data/feeds/synthetic/simulated-symbol.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'

const RECORDINGS = projectFile('data/')

/** The configured price source, or all problems that prevent it. */
export type ChosenFeed = { readonly feed: Feed } | { readonly problems: readonly string[] }

/**
 * Creates the configured feed. A replay behaves as if it had always been running: the time of each row does not depend on when the server
 * started, so a restart continues at the right place. Real sources are combined with the symbols of the database.
 */
export async function chooseFeed(config: FeedsChoice, ctx: Ctx): Promise<ChosenFeed> {
  const { feeds, mode } = config
  const { clock } = ctx
  switch (feeds.kind) {
    case 'synthetic':
      return { feed: createSyntheticFeed({ clock, seed: feeds.seed }) }
    case 'replay': {
      const { speed, offsetMs } = feeds
      return { feed: createReplayFeed({ clock, dataDir: RECORDINGS, startAt: instant(0), speed, offsetMs }) }
    }
    case 'file':
      return await realFeed(feeds, mode, ctx)
  }
}

/** All problems with the configured sources for these symbols. */
export function sourceProblems({ feeds, mode }: FeedsChoice, stored: readonly StoredSymbol[]): readonly string[] {
  if (feeds.kind !== 'file') return []
  return planSources({ read: readFeedsFile(feeds.place), mode, stored, hasKey: hasKeyBy(feeds.keyOf) }).problems
}

type KeyOf = Extract<FeedsConfig, { kind: 'file' }>['keyOf']
const hasKeyBy = (keyOf: KeyOf) => (variable: string) => keyOf(variable) !== undefined

async function realFeed(
  { place, keyOf, seed }: Extract<FeedsConfig, { kind: 'file' }>,
  mode: FeedsChoice['mode'],
  ctx: Ctx,
): Promise<ChosenFeed> {
  const read = readFeedsFile(place)
  const stored = await readStoredSymbols(ctx.db)
  const plan = planSources({ read, mode, stored, hasKey: hasKeyBy(keyOf) })
  if (plan.problems.length > 0) return { problems: plan.problems }
  for (const note of plan.notes) ctx.log.warn({ feeds: read.name }, note)
  const byCode = new Map(plan.symbols.map((planned) => [planned.symbol.code, planned]))
  const providers = await createProviders({ read, keyOf, tools: ctx, used: providersOf(plan.symbols) })
  const symbols = plan.symbols.map(({ symbol }) => symbol)
  const sourcesOf = ({ code }: Pick<MarketSymbol, 'code'>) => byCode.get(code) ?? null
  const past = createProviderPast({ ctx, providers, symbols, sourcesOf })
  const market = withIncidents(ctx, (onIncident) =>
    createMarketFeed({
      clock: ctx.clock,
      log: ctx.log,
      providers,
      symbols,
      sourcesOf,
      history: past.history,
      onIncident,
    }),
  )
  const real = withProviderPast(market, past)
  const sources = () => reportedOrPlanned(real, plan.symbols)
  if (plan.simulated.length === 0) return { feed: { ...real, sources } }
  const simulated = createSyntheticFeed({ clock: ctx.clock, seed, symbols: plan.simulated.map(toSimulated) })
  return { feed: joinFeeds(ctx.clock, { ...real, sources }, simulated) }
}

/** The state of the sources. Before its start, a feed knows them from the file alone. */
function reportedOrPlanned({ sources }: Feed, planned: readonly PlannedSymbol[]): readonly SourceHealth[] {
  const reportedSources = sources?.() ?? []
  if (reportedSources.length > 0) return reportedSources
  const quiet = { state: 'silent', newestAt: null, heardAt: null, unused: {} } as const
  return planned.flatMap(({ symbol, sources: named }) =>
    named.map(({ provider, symbol: providerSymbol }, place) => ({
      ...quiet,
      symbolId: symbol.id,
      provider,
      providerSymbol,
      isUsed: place === 0,
    })),
  )
}

function toSimulated(symbol: MarketSymbol) {
  const listed = CATALOGUE.find(({ id }) => id === symbol.id)
  return listed === undefined ? simulatedSymbol(symbol) : { ...listed, ...symbol }
}

function providersOf(symbols: readonly PlannedSymbol[]): Set<string> {
  return new Set(symbols.flatMap(({ sources }) => sources.map(({ provider }) => provider)))
}
