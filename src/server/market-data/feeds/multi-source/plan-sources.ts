import { CATALOGUE, MAX_TICK_AGE_MS } from '#core/markets/catalogue.ts'
import { type MarketSymbol, productId } from '#core/markets/market.ts'
import {
  type FeedsFileProvider,
  type FeedsFileSymbol,
  type Limits,
  limitsOf,
} from '#server/market-data/feeds/multi-source/feeds-file.ts'
import { refusedInLive, sourceNames } from '#server/market-data/feeds/multi-source/provider-names.ts'
import { type ReadFeeds, symbolPlace } from '#server/market-data/feeds/multi-source/read-feeds-file.ts'
import type { ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'

/** A symbol with its price sources, the first of them in use, and the limits for judging them. */
export interface PlannedSymbol {
  readonly symbol: MarketSymbol
  readonly sources: readonly PlannedSource[]
  readonly limits: Limits
}
export interface PlannedSource extends ProviderSymbol {
  readonly provider: string
}

/** A symbol as stored in the database. */
export interface StoredSymbol extends MarketSymbol {
  readonly isListed: boolean
  /** The source that the last start stored with the symbol. */
  readonly source: string
}

/** The result of a feeds file: which symbol has which sources, problems that prevent a start, and notes. */
export interface SourcePlan {
  readonly symbols: readonly PlannedSymbol[]
  /** Keyed by the name that users see with the prices. */
  readonly providers: ReadonlyMap<string, FeedsFileProvider>
  /** Demo only: symbols whose key is missing, so that they use the simulated market. */
  readonly simulated: readonly MarketSymbol[]
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

export interface PlanFacts {
  readonly read: ReadFeeds
  readonly mode: 'demo' | 'live'
  readonly stored: readonly StoredSymbol[]
  /** Whether an environment variable is set and not empty. */
  readonly hasKey: (variable: string) => boolean
}

/** Lower ids are reserved for symbols shipped with the program. */
const OWN_IDS_FROM = 10_001
const PAIR = /^[A-Z]{6}$/
/** Sources whose prices do not come from real trades. */
const SIMULATED_SOURCES = new Set(['synthetic', 'replay'])

/** Combines the file with the known symbols. Lists all problems, with their position in the file. */
export function planSources(facts: PlanFacts): SourcePlan {
  const { read, mode, stored } = facts
  const problems = [...read.problems, ...crossChecks(read)]
  const notes: string[] = []
  const keyless = providersWithoutKey(facts)
  const names = sourceNames(read)
  if (mode === 'live') problems.push(...keyless.values())

  const symbols: PlannedSymbol[] = []
  const simulated: MarketSymbol[] = []
  let nextId = Math.max(OWN_IDS_FROM, ...stored.map(({ id }) => id + 1))
  for (const { at, symbol: row } of read.symbols) {
    const known = stored.find(({ code }) => code === row.code) ?? CATALOGUE.find(({ code }) => code === row.code)
    const { symbol, wrong } = toSymbol(row, known, nextId)
    problems.push(...wrong.map((text) => `${symbolPlace(at, row.code)}${text}`))
    if (symbol === null) continue
    if (symbol.id === nextId) nextId += 1
    if (row.maxTickAgeMs !== undefined && row.maxTickAgeMs !== symbol.maxTickAgeMs)
      notes.push(`${row.code}: the age limit of the back office holds, ${symbol.maxTickAgeMs} ms, not that of the file`)
    const sources = row.sources.filter(({ provider }) => !keyless.has(provider))
    if (sources.length === 0 && mode === 'demo') simulated.push(symbol)
    else {
      const named = sources.map((source) => ({ ...source, provider: names.get(source.provider) ?? source.provider }))
      symbols.push({ symbol, sources: named, limits: limitsOf(read, row) })
    }
  }
  const named = new Set(read.symbols.map(({ symbol }) => symbol.code))
  // While some entries are unreadable, it is unknown which symbols they name.
  const unnamed = read.problems.length > 0 ? [] : stored.filter(({ code, isListed }) => isListed && !named.has(code))
  if (mode === 'live') {
    problems.push(...unnamed.map(({ code }) => `${code} is listed or has orders, and the file has no source for it`))
    problems.push(...simulatedDataProblems(facts), ...refusedInLive(read))
  } else {
    if (unnamed.length > 0) notes.push(`no source in the file, so no prices: ${codes(unnamed)}`)
    if (simulated.length > 0)
      notes.push(
        `simulated prices, for want of ${[...keyless.keys()].map((name) => keyOf(read, name)).join(', ')}: ${codes(simulated)}`,
      )
  }
  const providers = new Map([...read.providers].map(([name, row]) => [names.get(name) ?? name, row]))
  return { symbols, providers, simulated, problems, notes }
}

function toSymbol(
  row: FeedsFileSymbol,
  known: MarketSymbol | undefined,
  nextId: number,
): { symbol: MarketSymbol | null; wrong: string[] } {
  const wrong: string[] = []
  const decimals = row.tickSize === undefined ? known?.decimals : decimalsOf(row.tickSize)
  const marketType = known?.marketType ?? row.marketType
  const name = known?.name ?? row.name
  if (known === undefined) {
    const lacking = [
      name === undefined ? 'name' : '',
      marketType === undefined ? 'marketType' : '',
      decimals === undefined ? 'tickSize' : '',
    ].filter(Boolean)
    if (lacking.length > 0) wrong.push(` is none of the symbols we ship: it needs ${lacking.join(', ')}`)
    if (marketType === 'us_fx' && !PAIR.test(row.code)) wrong.push('.code: a pair is six letters, such as EURUSD')
  } else if (row.marketType !== undefined && row.marketType !== known.marketType) {
    wrong.push(`.marketType: this symbol is ${known.marketType}`)
  }
  if (isStored(known) && decimals !== known.decimals) {
    wrong.push(
      `.tickSize: the database keeps its prices in steps of ${tickSizeOf(known.decimals)}, which cannot change; use that one, or another database`,
    )
  }
  if (name === undefined || marketType === undefined || decimals === undefined) return { symbol: null, wrong }
  const ageMs = isStored(known) ? known.maxTickAgeMs : (row.maxTickAgeMs ?? known?.maxTickAgeMs)
  const symbol = {
    id: known?.id ?? nextId,
    code: row.code,
    name,
    marketType,
    decimals,
    maxTickAgeMs: ageMs ?? MAX_TICK_AGE_MS[marketType],
  }
  return { symbol, wrong }
}

/** Contradictions within the file, independent of the database. */
function crossChecks({ providers, symbols }: ReadFeeds): string[] {
  const problems: string[] = []
  const placeOfCode = new Map<string, string>()
  const placeOfSource = new Map<string, string>()
  for (const [name, own] of sourceNames({ providers })) {
    const other = placeOfSource.get(own)
    if (other !== undefined) problems.push(`providers.${name}: ${other} has the same host`)
    placeOfSource.set(own, `providers.${name}`)
  }
  for (const [name, { kind, exchange, keyFrom }] of providers) {
    if (kind === 'ccxt' && exchange === undefined) problems.push(`providers.${name}: ccxt needs to know the exchange`)
    if (kind !== 'ccxt' && exchange !== undefined) problems.push(`providers.${name}.exchange is for ccxt alone`)
    if (kind === 'finnhub' && keyFrom === undefined)
      problems.push(`providers.${name}: finnhub needs a key, so keyFrom has to name the variable that holds it`)
  }
  for (const { at, symbol } of symbols) {
    const place = symbolPlace(at, symbol.code)
    const type = symbol.marketType ?? CATALOGUE.find(({ code }) => code === symbol.code)?.marketType ?? 'us_stocks'
    for (const name of new Set([symbol.code, productId({ code: symbol.code, marketType: type })])) {
      const other = placeOfCode.get(name)
      if (other !== undefined) problems.push(`${place}.code: ${name} is the name of ${other} already`)
      placeOfCode.set(name, place)
    }
    for (const [nth, { provider, symbol: theirs }] of symbol.sources.entries()) {
      const source = `${place}.sources[${nth}]`
      const other = placeOfSource.get(`${provider}/${theirs}`)
      if (!providers.has(provider)) problems.push(`${source}.provider: the file has no provider ${provider}`)
      if (other !== undefined) problems.push(`${source}: ${provider} ${theirs} is ${other} already`)
      placeOfSource.set(`${provider}/${theirs}`, source)
    }
  }
  return problems
}

/** Providers that symbols name and whose key is missing, with the error text. */
function providersWithoutKey({ read, hasKey }: PlanFacts): Map<string, string> {
  const used = new Set(read.symbols.flatMap(({ symbol }) => symbol.sources.map(({ provider }) => provider)))
  return new Map(
    [...read.providers].flatMap(([name, { keyFrom }]) =>
      used.has(name) && keyFrom !== undefined && !hasKey(keyFrom)
        ? [[name, `providers.${name}.keyFrom: the environment variable ${keyFrom} is empty`]]
        : [],
    ),
  )
}

/** A live site must not continue on a database with simulated or replayed prices. */
function simulatedDataProblems({ stored }: PlanFacts): string[] {
  const before = stored.filter(({ isListed, source }) => isListed && SIMULATED_SOURCES.has(source))
  return before.length === 0
    ? []
    : [`this database has simulated or replayed prices of ${codes(before)}: live mode needs one of its own`]
}

function isStored(known: MarketSymbol | undefined): known is StoredSymbol {
  return known !== undefined && 'isListed' in known
}

function keyOf({ providers }: ReadFeeds, name: string): string {
  return providers.get(name)?.keyFrom ?? name
}

function decimalsOf(tickSize: string): number {
  return tickSize.includes('.') ? tickSize.length - 2 : 0
}

function tickSizeOf(decimals: number): string {
  return decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`
}

function codes(symbols: readonly Pick<MarketSymbol, 'code'>[]): string {
  return symbols.map(({ code }) => code).join(', ')
}
