import type { MarketSymbol } from '#core/markets/market.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { SymbolSource, SymbolSources } from '#server/market-data/feeds/multi-source/market-feed-options.ts'
import { type Provider, ProviderError, type ProviderHistory } from '#server/market-data/feeds/providers/provider.ts'

/** How long a permanent refusal is trusted before the source is queried again. */
const REFUSED_FOR_MS = 6 * HOUR_MS

/** One source of a symbol, with its history. Sources without a history are left out. */
export interface PastSource {
  readonly provider: string
  readonly symbol: string
  readonly history: ProviderHistory
  /** Whether the source has bars of this interval that begin at the same times as ours. */
  offers(interval: ChartInterval): boolean
  /** Notes that the source's bars of this interval begin at different times from ours. */
  misaligned(interval: ChartInterval): void
}

/** `failed`: a later attempt may succeed. `refused`: every source refused, and a retry would be refused too. */
export type SourcesReply<T> = { readonly value: T } | 'failed' | 'refused'

export interface QuerySources {
  /** Queries the sources of a symbol in order until one replies. */
  <T>(symbol: MarketSymbol, ask: (source: PastSource) => Promise<T>): Promise<SourcesReply<T>>
}

export interface QuerySourcesParts {
  readonly ctx: Pick<Ctx, 'log' | 'now'>
  readonly providers: ReadonlyMap<string, Pick<Provider, 'history'>>
  readonly sourcesOf: (symbol: MarketSymbol) => Pick<SymbolSources, 'sources'> | null
}

export function createQuerySources({ ctx, providers, sourcesOf }: QuerySourcesParts): QuerySources {
  const refusedUntil = new Map<string, number>()
  const misaligned = new Set<string>()
  const said = new Set<string>()

  function toPast({ provider, symbol }: SymbolSource): PastSource[] {
    const history = providers.get(provider)?.history ?? null
    if (history === null || (refusedUntil.get(`${provider}/${symbol}`) ?? 0) > ctx.now()) return []
    const key = (interval: ChartInterval) => `${provider}/${symbol}/${interval}`
    return [
      {
        provider,
        symbol,
        history,
        offers: (interval) => history.intervals.includes(interval) && !misaligned.has(key(interval)),
        misaligned: (interval) => void misaligned.add(key(interval)),
      },
    ]
  }

  /** Logs a refusal once per provider: a plan without bars refuses every symbol. */
  function sayOnce(provider: string, error: ProviderError): void {
    const words = `${provider}: ${error.message}`
    if (said.has(words)) return
    said.add(words)
    ctx.log.warn({ provider, err: error }, 'a price source refuses its history')
  }

  return async (symbol, ask) => {
    let outcome: 'failed' | 'refused' = 'refused'
    for (const source of (sourcesOf(symbol)?.sources ?? []).flatMap(toPast)) {
      try {
        return { value: await ask(source) }
      } catch (error) {
        if (error instanceof ProviderError && !error.retry) {
          refusedUntil.set(`${source.provider}/${source.symbol}`, ctx.now() + REFUSED_FOR_MS)
          sayOnce(source.provider, error)
        } else {
          outcome = 'failed'
          ctx.log.warn(
            { provider: source.provider, symbol: source.symbol, err: error },
            'a price source did not return its history',
          )
        }
      }
    }
    return outcome
  }
}
