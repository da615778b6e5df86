import type { JudgedRecord } from '#core/markets/sources/judge-record.ts'
import type { ConfiguredProvider } from '#core/markets/sources/source-configuration.ts'
import type { Feed, RecordQuery } from '#server/market-data/feeds/base/feed.ts'
import { createProviders } from '#server/market-data/feeds/multi-source/create-providers.ts'
import { limitsOf } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import { readRecord } from '#server/market-data/feeds/multi-source/read-record.ts'
import { createPeerRecorder } from '#server/market-data/feeds/multi-source/record-peers.ts'
import { readStoredSymbols } from '#server/market-data/feeds/multi-source/stored-symbols.queries.ts'
import type { Provider } from '#server/market-data/feeds/providers/provider.ts'
import { configurationOf, listSourceVersions } from '#server/market-data/source-versions/source-versions.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/**
 * Creates a feed that can also read the records of sources that the configuration no longer has. Orders end on the
 * source on which they began. So an operator cannot make orders void by removing their source.
 */
export function withRemovedSources(ctx: Ctx, feed: Feed): Feed {
  const readRemoved = createRemovedSources(ctx)
  return { ...feed, record: async (query) => (await feed.record?.(query)) ?? (await readRemoved(query)) }
}

function createRemovedSources(ctx: Ctx): (query: RecordQuery) => Promise<JudgedRecord | null> {
  const created = new Map<string, Promise<ReadonlyMap<string, Provider>>>()
  const onPeer = createPeerRecorder(ctx)

  /**
   * Creates each provider only once, so that its rate limits apply to all calls. The provider never connects to the
   * stream.
   */
  function providersOf(row: Pick<ConfiguredProvider, 'name' | 'rest'>, kind: 'binance' | 'coinbase') {
    const key = JSON.stringify([row.name, kind, row.rest])
    const known = created.get(key)
    if (known !== undefined) return known
    const { rest } = row
    const restUrl = rest === undefined || rest.includes('://') ? rest : `https://${rest}`
    const providers = createProviders({
      read: { providers: new Map([[row.name, { kind, ...(restUrl !== undefined && { restUrl }) }]]) },
      keyOf: () => undefined,
      tools: { clock: ctx.clock, randomBytes: (size) => ctx.randomBytes(size), onPeer },
      used: new Set([row.name]),
    })
    created.set(key, providers)
    return providers
  }

  return async (query) => {
    const found = await newestConfigurationOf(ctx, query)
    if (found === null) return null
    const { provider, source, limits } = found
    if (provider.kind !== 'binance' && provider.kind !== 'coinbase') return null
    const symbol = (await readStoredSymbols(ctx.db)).find(({ id }) => id === query.symbolId)
    if (symbol === undefined) return null
    return await readRecord(
      {
        clock: ctx.clock,
        providers: await providersOf(provider, provider.kind),
        symbols: [symbol],
        sourcesOf: () => ({ sources: [{ ...source, channel: 'trade' }], limits: limitsOf({ limits }, {}) }),
      },
      query,
    )
  }
}

/** The newest published configuration of a source with numbered trades and a public record. */
async function newestConfigurationOf({ db }: Ctx, { symbolId, source: name }: RecordQuery) {
  for (const version of await listSourceVersions(db)) {
    const { providers, symbols, limits } = configurationOf(version)
    const symbol = symbols.find(({ id }) => id === symbolId)
    const source = symbol?.sources.find((one) => one.provider === name && one.class === 'ids')
    const provider = providers.find((one) => one.name === name)
    if (source !== undefined && provider !== undefined) return { provider, source, limits: symbol?.limits ?? limits }
  }
  return null
}
