import type { SourceClass } from '#core/markets/source-class.ts'
import type {
  ConfiguredProvider,
  ConfiguredSymbol,
  SourceConfiguration,
} from '#core/markets/sources/source-configuration.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import {
  type FeedsFile,
  type FeedsFileProvider,
  type Limits,
  limitsOf,
} from '#server/market-data/feeds/multi-source/feeds-file.ts'
import type { PlannedSource, PlannedSymbol, SourcePlan } from '#server/market-data/feeds/multi-source/plan-sources.ts'
import { addressesOf } from '#server/market-data/feeds/multi-source/provider-names.ts'

type Program = Pick<SourceConfiguration, 'program'>

/** Describes the sources of a feeds file as they are published. */
export function describeFile(
  fileLimits: FeedsFile['limits'],
  plan: Pick<SourcePlan, 'symbols' | 'providers' | 'simulated'>,
  { program }: Program,
): SourceConfiguration {
  const limits = limitsOf({ limits: fileLimits }, {})
  const used = new Set(plan.symbols.flatMap(({ sources }) => sources.map(({ provider }) => provider)))
  const real = [...plan.providers].filter(([name]) => used.has(name)).map(([name, row]) => toProvider(name, row))
  const computed = describeComputed('synthetic', plan.simulated, { program })
  return {
    program,
    providers: [...real, ...(plan.simulated.length === 0 ? [] : computed.providers)],
    limits,
    symbols: [...plan.symbols.map((planned) => toSymbol(planned, plan, limits)), ...computed.symbols],
  }
}

/** Describes a feed that computes its prices. */
export function describeComputed(
  name: 'synthetic' | 'replay',
  symbols: readonly MarketSymbol[],
  { program }: Program,
): SourceConfiguration {
  return {
    program,
    providers: [{ name, kind: name }],
    limits: {},
    symbols: symbols.map(({ id, code, decimals }) => ({
      code,
      id,
      decimals,
      rounding: 'half-even',
      sources: [{ provider: name, symbol: code, channel: 'trade', class: 'computed' }],
    })),
  }
}

function toProvider(name: string, row: FeedsFileProvider): ConfiguredProvider {
  const { stream, rest } = addressesOf(row)
  return {
    name,
    kind: row.kind,
    ...(stream && { stream: addressText(stream) }),
    ...(rest && { rest: addressText(rest) }),
    ...(row.exchange !== undefined && { exchange: row.exchange }),
  }
}

/** Host and path. Scheme and port are only named when they are not those of an encrypted connection. */
function addressText({ protocol, host, pathname }: URL): string {
  const scheme = protocol === 'wss:' || protocol === 'https:' ? '' : `${protocol}//`
  return `${scheme}${host}${pathname === '/' ? '' : pathname}`
}

function toSymbol(
  { symbol, sources, limits }: PlannedSymbol,
  { providers }: Pick<SourcePlan, 'providers'>,
  usual: Limits,
): ConfiguredSymbol {
  const { code, id, decimals } = symbol
  const isUsual = JSON.stringify(limits) === JSON.stringify(usual)
  return {
    code,
    id,
    decimals,
    rounding: 'half-even',
    sources: sources.map((source) => {
      const kind = providers.get(source.provider)?.kind
      // The trades of Coinbase Exchange are always used, whatever the channel in the file.
      const channel = kind === 'coinbase' ? 'trade' : source.channel
      return { provider: source.provider, symbol: source.symbol, channel, class: classOf(channel, kind) }
    }),
    ...(!isUsual && { limits }),
  }
}

/** Coinbase Advanced numbers its trades too, but its public history of trades is not known to be complete. */
function classOf(channel: PlannedSource['channel'], kind: FeedsFileProvider['kind'] | undefined): SourceClass {
  return channel === 'trade' && (kind === 'coinbase' || kind === 'binance') ? 'ids' : 'none'
}
