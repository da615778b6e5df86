import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import {
  type PlanFacts,
  planSources,
  type SourcePlan,
  type StoredSymbol,
} from '#server/market-data/feeds/multi-source/plan-sources.ts'
import { readFeedsFile } from '#server/market-data/feeds/multi-source/read-feeds-file.ts'

const PROVIDERS = { binance: { kind: 'binance' }, coinbase: { kind: 'coinbase' } }

function plan(file: object, facts: Partial<Omit<PlanFacts, 'read'>> = {}): SourcePlan {
  const read = readFeedsFile({ kind: 'text', text: JSON.stringify(file) })
  return planSources({ read, mode: 'demo', stored: [], hasKey: () => false, ...facts })
}

function stored(code: string, change: Partial<StoredSymbol> = {}): StoredSymbol {
  const symbol = CATALOGUE.find((one) => one.code === code)
  if (!symbol) throw new Error(`no ${code}`)
  const { id, name, marketType, decimals, maxTickAgeMs } = symbol
  return { id, code, name, marketType, decimals, maxTickAgeMs, isListed: true, source: 'binance', ...change }
}

const BTC = { code: 'BTC', sources: [{ provider: 'binance', symbol: 'BTCUSDT' }] }

describe('the shipped file of price sources', () => {
  const read = readFeedsFile({ kind: 'shipped' })
  it('names a real source for every symbol of a new installation', () => {
    const plan = planSources({ read, mode: 'live', stored: [], hasKey: () => true })
    expect(plan.problems).toEqual([])
    expect(plan.symbols.map(({ symbol }) => symbol.id)).toEqual(CATALOGUE.map(({ id }) => id))
    expect(plan.simulated).toEqual([])
  })

  it('simulates symbols with a missing key in a demo, and reports this in one line', () => {
    const { symbols, simulated, problems, notes } = planSources({ read, mode: 'demo', stored: [], hasKey: () => false })
    expect(problems).toEqual([])
    expect(new Set(symbols.map(({ symbol }) => symbol.marketType))).toEqual(new Set(['crypto']))
    expect(new Set(simulated.map(({ marketType }) => marketType))).toEqual(new Set(['us_stocks', 'us_fx']))
    expect(notes).toEqual([expect.stringMatching(/^simulated prices, for want of FINNHUB_KEY: AAPL, MSFT/)])
  })

  it('live mode refuses the file without the key', () => {
    const { problems } = planSources({ read, mode: 'live', stored: [], hasKey: () => false })
    expect(problems).toEqual(['providers.finnhub.keyFrom: the environment variable FINNHUB_KEY is empty'])
  })
})

it('takes ids, steps and age limits from the database, then the catalogue, then the file', () => {
  const added = stored('BTC', { id: 10_001, code: 'PEPE', name: 'Pepe', decimals: 8, maxTickAgeMs: 9_000 })
  const own = { code: 'WIF', name: 'dogwifhat', marketType: 'crypto', tickSize: '0.0001', maxTickAgeMs: 7_000 }
  const { symbols, problems, notes } = plan(
    {
      providers: PROVIDERS,
      limits: { spikeBp: 50, spikeTicks: 5 },
      symbols: [
        { ...BTC, limits: { divergenceBp: 30 } },
        { code: 'PEPE', maxTickAgeMs: 3_000, sources: [{ provider: 'binance', symbol: 'PEPEUSDT' }] },
        { ...own, sources: [{ provider: 'binance', symbol: 'WIFUSDT' }] },
      ],
    },
    { stored: [stored('BTC'), added] },
  )
  expect(problems).toEqual([])
  expect(symbols.map(({ symbol }) => symbol)).toEqual([
    { id: 1, code: 'BTC', name: 'Bitcoin', marketType: 'crypto', decimals: 2, maxTickAgeMs: 5_000 },
    { id: 10_001, code: 'PEPE', name: 'Pepe', marketType: 'crypto', decimals: 8, maxTickAgeMs: 9_000 },
    { id: 10_002, code: 'WIF', name: 'dogwifhat', marketType: 'crypto', decimals: 4, maxTickAgeMs: 7_000 },
  ])
  expect(symbols[0]?.limits).toMatchObject({
    divergenceBp: 30,
    divergenceTicks: 3,
    spikeBp: 50,
    spikeTicks: 5,
    silentAfterMs: 1_500,
  })
  expect(notes).toEqual(['PEPE: the age limit of the back office holds, 9000 ms, not that of the file'])
})

it('lists every problem with its position', () => {
  const file = {
    providers: { ...PROVIDERS, other: { kind: 'ccxt' }, Fast: { kind: 'binance' }, keyed: { kind: 'finnhub' } },
    colour: 'blue',
    symbols: [
      { code: 'BTC', sources: [{ provider: 'kraken', symbol: 'XBTUSD' }] },
      {
        code: 'ETH',
        tickSize: '0.0001',
        sources: [
          { provider: 'binance', symbol: 'ETHUSDT' },
          { provider: 'binance', symbol: 'ETHUSDT' },
        ],
      },
      { code: 'WIF', sources: [{ provider: 'binance', symbol: 'WIFUSDT' }] },
      { code: 'SOL', sources: [] },
      { code: 'ETHUSDT', name: 'x', marketType: 'us_stocks', tickSize: '1', sources: [BTC.sources[0]] },
      { code: 'ADA', limits: { spikeBp: 0, spikeTicks: -1, divergenceTicks: 1.5 }, sources: [BTC.sources[0]] },
    ],
  }
  const { problems } = plan(file, { stored: [stored('ETH'), stored('DOGE')] })
  for (const words of [
    /^colour is not a name that this file has$/,
    /^providers\.Fast: /,
    /^providers\.other: ccxt needs to know the exchange$/,
    /^providers\.keyed: finnhub needs a key/,
    /^symbols\[0\] \(BTC\)\.sources\[0\]\.provider: the file has no provider kraken$/,
    /^symbols\[1\] \(ETH\)\.sources\[1\]: binance ETHUSDT is symbols\[1\] \(ETH\)\.sources\[0\] already$/,
    /^symbols\[1\] \(ETH\)\.tickSize: the database keeps its prices in steps of 0\.01,/,
    /^symbols\[2\] \(WIF\) is none of the symbols we ship: it needs name, marketType, tickSize$/,
    /^symbols\[3\] \(SOL\)\.sources: /,
    /^symbols\[4\] \(ETHUSDT\)\.code: ETHUSDT is the name of symbols\[1\] \(ETH\) already$/,
    /^symbols\[5\] \(ADA\)\.limits\.divergenceTicks: /,
    /^symbols\[5\] \(ADA\)\.limits\.spikeBp: /,
    /^symbols\[5\] \(ADA\)\.limits\.spikeTicks: /,
  ])
    expect(
      problems.filter((problem) => words.test(problem)),
      String(words),
    ).toHaveLength(1)
  expect(problems).toHaveLength(13)
})

it('names symbols without prices in a demo, and refuses them in live mode', () => {
  const file = { providers: PROVIDERS, symbols: [BTC] }
  const facts = { stored: [stored('BTC'), stored('DOGE'), stored('LTC', { isListed: false })] }
  expect(plan(file, facts)).toMatchObject({ problems: [], notes: ['no source in the file, so no prices: DOGE'] })
  expect(plan(file, { ...facts, mode: 'live' }).problems).toEqual([
    'DOGE is listed or has orders, and the file has no source for it',
  ])
})

it('refuses live mode on a database with simulated prices', () => {
  const facts = { mode: 'live', stored: [stored('BTC', { source: 'synthetic' })] } as const
  expect(plan({ providers: PROVIDERS, symbols: [BTC] }, facts).problems).toEqual([
    'this database has simulated or replayed prices of BTC: live mode needs one of its own',
  ])
})

it.each(['{', '{"a": secret-key}', ''])('reveals nothing of a text that is not JSON (%s)', (text) => {
  expect(() => readFeedsFile({ kind: 'text', text })).toThrow(/^The file of price sources \(own\) is not JSON/)
  expect(() => readFeedsFile({ kind: 'text', text })).not.toThrow(/secret/)
})

it.each(['null', '7', '[]', '{"symbols":{"a":1},"providers":[]}', '{"symbols":[null,{"code":{}}]}'])(
  'lists the problems of %s without throwing',
  (text) => {
    const read = readFeedsFile({ kind: 'text', text })
    expect(read.problems.length).toBeGreaterThan(0)
    expect(planSources({ read, mode: 'live', stored: [], hasKey: () => true }).problems).toEqual(read.problems)
  },
)

it('names the possible values of FAIRWICK_FEEDS when the file is missing', () => {
  const read = () => readFeedsFile({ kind: 'path', path: '/nowhere/sythetic' })
  expect(read).toThrow('FAIRWICK_FEEDS must be synthetic, replay, exchanges, a JSON text or a file')
})
