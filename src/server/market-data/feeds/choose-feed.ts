import { lookup } from 'node:dns/promises'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { servedMeanwhile, type SourceConfiguration } from '#core/markets/sources/source-configuration.ts'
import { toHex } from '#core/proof/bytes.ts'
import { instant } from '#core/time/instant.ts'
import type { FeedsChoice, FeedsConfig } from '#server/market-data/feeds/base/feeds-config.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Feed, SourceHealth } from '#server/market-data/feeds/base/feed.ts'
import { withClocks } from '#server/market-data/feeds/base/with-clocks.ts'
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
import { providerClock } from '#server/market-data/feeds/providers/provider-clock.ts'
import { createReplayFeed } from '#server/market-data/feeds/replay/replay-feed.ts'
import { simulatedSymbol } from '#server/market-data/feeds/synthetic/simulated-symbol.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import { limitsOf } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import { describeComputed, describeFile } from '#server/market-data/feeds/multi-source/describe-configuration.ts'
import { type LookUpHost, privatelyResolved } from '#server/market-data/feeds/multi-source/private-hosts.ts'
import { addressesOf } from '#server/market-data/feeds/multi-source/provider-names.ts'
import { createPeerRecorder, withRestPeers } from '#server/market-data/feeds/multi-source/record-peers.ts'
import { withRemovedSources } from '#server/market-data/feeds/multi-source/removed-sources.ts'
import { publishSources } from '#server/market-data/source-versions/publish-sources.ts'
import { configurationOf, type SourceVersions } from '#server/market-data/source-versions/source-versions.queries.ts'
import { programVersion } from '#server/platform/runtime/program-version.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'

const RECORDINGS = projectFile('data/')

/** The configured price source, or all problems that prevent it. */
export type ChosenFeed = { readonly feed: Feed } | { readonly problems: readonly string[] }

/**
 * Creates the configured feed. A replay behaves as if it had always been running. The time of each row does not depend
 * on when the server started, so a restart continues at the right place. Real sources are combined with the symbols of
 * the database. `publishes`: this server may subscribe to the sources, so it publishes their configuration.
 */
export async function chooseFeed(
  config: FeedsChoice,
  ctx: Ctx,
  publishes: boolean,
  lookUp: LookUpHost = lookUpHost,
): Promise<ChosenFeed> {
  const chosen = await createConfiguredFeed(config, ctx, publishes, lookUp)
  return 'feed' in chosen ? { feed: withRemovedSources(ctx, chosen.feed) } : chosen
}

async function createConfiguredFeed(
  config: FeedsChoice,
  ctx: Ctx,
  publishes: boolean,
  lookUp: LookUpHost,
): Promise<ChosenFeed> {
  const { feeds, mode } = config
  const { clock } = ctx
  const publish = async (configuration: SourceConfiguration): Promise<SourceVersions> =>
    publishes ? await publishSources(ctx, mode, configuration) : NOT_PUBLISHED
  switch (feeds.kind) {
    case 'synthetic':
      return { feed: await published('synthetic', createSyntheticFeed({ clock, seed: feeds.seed }), publish) }
    case 'replay': {
      const { speed, offsetMs } = feeds
      const replay = createReplayFeed({ clock, dataDir: RECORDINGS, startAt: instant(0), speed, offsetMs })
      return { feed: await published('replay', replay, publish) }
    }
    case 'file':
      return await realFeed(feeds, { mode, ctx, publish, lookUp })
  }
}

const NOT_PUBLISHED: SourceVersions = { newest: null, inForce: null }

const lookUpHost: LookUpHost = async (host) => await lookup(host, { all: true }).catch(() => [])

type Publish = (configuration: SourceConfiguration) => Promise<SourceVersions>

async function published(name: 'synthetic' | 'replay', feed: Feed, publish: Publish): Promise<Feed> {
  const versions = await publish(describeComputed(name, feed.symbols, { program: programVersion() }))
  return withConfiguration(feed, versions, [])
}

/** A feed that names its configuration in the log. No orders are taken on symbols whose sources are not yet in effect. */
function withConfiguration(feed: Feed, { newest, inForce }: SourceVersions, pending: readonly MarketSymbol[]): Feed {
  return {
    ...feed,
    changesAt: newest === null || newest.number === inForce?.number ? null : newest.appliesAt,
    async start(sink) {
      if (inForce !== null) sink.sources?.(toHex(inForce.hash))
      for (const { id } of pending) sink.doubt(id, 'pending')
      await feed.start(sink)
    },
  }
}

/** All problems with the configured sources for these symbols. */
export function sourceProblems({ feeds, mode }: FeedsChoice, stored: readonly StoredSymbol[]): readonly string[] {
  if (feeds.kind !== 'file') return []
  return planSources({ read: readFeedsFile(feeds.place), mode, stored, hasKey: hasKeyBy(feeds.keyOf) }).problems
}

type KeyOf = Extract<FeedsConfig, { kind: 'file' }>['keyOf']
const hasKeyBy = (keyOf: KeyOf) => (variable: string) => keyOf(variable) !== undefined

interface RealFeedParts {
  readonly mode: FeedsChoice['mode']
  readonly ctx: Ctx
  readonly publish: Publish
  readonly lookUp: LookUpHost
}

async function realFeed(
  { place, keyOf, seed }: Extract<FeedsConfig, { kind: 'file' }>,
  { mode, ctx, publish, lookUp }: RealFeedParts,
): Promise<ChosenFeed> {
  const file = readFeedsFile(place)
  const stored = await readStoredSymbols(ctx.db)
  const plan = planSources({ read: file, mode, stored, hasKey: hasKeyBy(keyOf) })
  const problems = [...plan.problems, ...(mode === 'live' ? await privatelyResolved(file, lookUp) : [])]
  if (problems.length > 0) return { problems }
  for (const note of plan.notes) ctx.log.warn({ feeds: file.name }, note)
  const configuration = describeFile(file.limits, plan, { program: programVersion() })
  const versions = await publish(configuration)
  const served = servedNow(plan.symbols, configuration, versions)
  const byCode = new Map(served.map((planned) => [planned.symbol.code, planned]))
  const used = providersOf(served)
  const onPeer = createPeerRecorder(ctx)
  const providers = await createProviders({
    read: plan,
    keyOf,
    tools: { clock: ctx.clock, randomBytes: (size) => ctx.randomBytes(size), onPeer },
    used,
  })
  const symbols = served.map(({ symbol }) => symbol)
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
  const rests = [...plan.providers].flatMap(([name, row]) => {
    const { rest } = addressesOf(row)
    return rest !== undefined && used.has(name) ? { name, kind: row.kind, rest } : []
  })
  const restHosts = rests.map(({ rest }) => rest)
  const clocks = rests.flatMap((one) => providerClock(one, ctx) ?? [])
  const followed = withClocks(withProviderPast(market, past), () => ctx.now(), clocks)
  const real = withRestPeers(ctx, followed, restHosts, onPeer)
  const sources = () => reportedOrPlanned(real, served)
  const pending = plan.symbols.flatMap(({ symbol }) => (byCode.has(symbol.code) ? [] : symbol))
  const whole = { ...real, symbols: [...symbols, ...pending], sources }
  if (plan.simulated.length === 0) return { feed: withConfiguration(whole, versions, pending) }
  const simulated = createSyntheticFeed({ clock: ctx.clock, seed, symbols: plan.simulated.map(toSimulated) })
  return { feed: withConfiguration(joinFeeds(ctx.clock, whole, simulated), versions, pending) }
}

/**
 * Returns the symbols with the sources and limits in effect. Until a new configuration takes effect, a symbol has only
 * the sources that are in both the old and the new configuration.
 */
function servedNow(
  planned: readonly PlannedSymbol[],
  configuration: SourceConfiguration,
  { newest, inForce }: SourceVersions,
): readonly PlannedSymbol[] {
  if (inForce === null || newest?.number === inForce.number) return planned
  const before = configurationOf(inForce)
  return planned.flatMap((one) => {
    const served = servedMeanwhile(one.symbol.id, before, configuration)
    if (served === null) return []
    const sources = served.sources.flatMap(
      ({ provider, symbol }) => one.sources.find((each) => each.provider === provider && each.symbol === symbol) ?? [],
    )
    return { ...one, sources, limits: limitsOf({ limits: served.limits }, {}) }
  })
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
