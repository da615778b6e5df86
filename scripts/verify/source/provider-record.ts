/** A trade in a provider's own record. */
export interface RecordedTrade {
  readonly ref: number
  /** A plain decimal, as the provider writes it. */
  readonly price: string
  /** The time of the trade, cut to milliseconds. */
  readonly timeMs: number
}

/** A range of a provider's trade numbers. */
export interface RefRange {
  readonly from: number
  /** The last number, inclusive. */
  readonly to: number
  /** The time of the first of these trades that the tick log has. */
  readonly fromMs: number
}

/** Reads one page of JSON. Tests replace it. */
export type ReadPage = (url: string) => Promise<unknown>

const PAGE = 1_000
/** 250 ms: far below the limits of both providers, so that other programs can query them at the same time. */
const BETWEEN_PAGES_MS = 250

export const readPage: ReadPage = async (url) => {
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_PAGES_MS))
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${new URL(url).host} answered HTTP ${response.status}`)
  return await response.json()
}

/** Returns the provider of a source with a public record, or undefined. */
export function providerOf(source: string): 'binance' | 'coinbase' | undefined {
  return (['binance', 'coinbase'] as const).find((known) => source === known || source.startsWith(`${known}-`))
}

/** A span of time. `knownRef` is the number of a trade before it. */
export interface RecordSpan {
  readonly fromMs: number
  readonly throughMs: number
  readonly knownRef: number
}

/** Reads the provider's trades of a span and the first one after it, ascending by number. */
export async function readTrades(
  provider: 'binance' | 'coinbase',
  symbol: string,
  span: RecordSpan,
  read: ReadPage,
): Promise<RecordedTrade[]> {
  const { fromMs, throughMs } = span
  const found: RecordedTrade[] = []
  if (provider === 'binance') {
    const range = { from: 0, to: Number.POSITIVE_INFINITY, fromMs }
    for await (const trade of binanceRecord(`${symbol}USDT`, range, read)) {
      found.push(trade)
      if (trade.timeMs > throughMs) break
    }
    return found
  }
  const pair = `${symbol}-USD`
  const range = { from: 0, to: await coinbaseEnd(pair, span, read), fromMs }
  for await (const trade of coinbaseRecord(pair, range, read)) {
    if (trade.timeMs < fromMs) break
    found.push(trade)
  }
  found.reverse()
  const after = found.findIndex(({ timeMs }) => timeMs > throughMs)
  return after === -1 ? found : found.slice(0, after + 1)
}

/** Coinbase finds trades only by number. Returns a number that is at most a page above the last trade of the span. */
async function coinbaseEnd(pair: string, { throughMs, knownRef }: RecordSpan, read: ReadPage): Promise<number> {
  const base = `https://api.exchange.coinbase.com/products/${pair}/trades?limit=1`
  const [newest] = (await read(base)) as readonly CoinbaseRow[]
  if (newest === undefined) return knownRef
  let [low, high] = [knownRef, newest.trade_id]
  while (high - low > PAGE) {
    const middle = Math.floor((low + high) / 2)
    const [trade] = (await read(`${base}&after=${middle + 1}`)) as readonly CoinbaseRow[]
    if (trade === undefined || Date.parse(trade.time) <= throughMs) low = middle
    else high = middle
  }
  return high
}

interface BinanceRow {
  readonly a: number
  readonly p: string
  readonly f: number
  readonly l: number
  readonly T: number
}

/**
 * Reads Binance's record of a range. A row covers the trades `f` to `l`, all of one price and time. The first page is
 * found by time, because rows have numbers of their own. The next pages are found by the number of the row.
 */
export async function* binanceRecord(pair: string, range: RefRange, read: ReadPage): AsyncGenerator<RecordedTrade> {
  const base = `https://data-api.binance.vision/api/v3/aggTrades?symbol=${pair}&limit=${PAGE}`
  let query = `&startTime=${range.fromMs}`
  for (;;) {
    const rows = (await read(`${base}${query}`)) as readonly BinanceRow[]
    for (const { p, f, l, T } of rows) {
      if (f > range.to) return
      // A row with negative numbers stands for trades that the provider has lost.
      if (f < 0) continue
      for (let ref = Math.max(f, range.from); ref <= Math.min(l, range.to); ref += 1)
        yield { ref, price: p, timeMs: toMs(T) }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    query = `&fromId=${last.a + 1}`
  }
}

interface CoinbaseRow {
  readonly trade_id: number
  readonly price: string
  readonly time: string
}

/** Reads the record of Coinbase Exchange: pages of trades before a number, newest first. */
export async function* coinbaseRecord(pair: string, range: RefRange, read: ReadPage): AsyncGenerator<RecordedTrade> {
  let after = range.to + 1
  while (after > range.from) {
    const url = `https://api.exchange.coinbase.com/products/${pair}/trades?limit=${PAGE}&after=${after}`
    const rows = (await read(url)) as readonly CoinbaseRow[]
    for (const { trade_id: ref, price, time } of rows)
      if (ref >= range.from && ref <= range.to) yield { ref, price, timeMs: Date.parse(time) }
    const last = rows.at(-1)
    if (last === undefined || last.trade_id >= after) return
    after = last.trade_id
  }
}

/**
 * Reads lines of Binance's daily archive. Single trades begin with `id,price,qty,quoteQty,time`, aggregated ones with
 * `id,price,qty,first,last,time`.
 */
export function* archivedTrades(lines: Iterable<string>): Generator<RecordedTrade> {
  for (const line of lines) {
    const [id, price = '', , fourth, fifth, sixth] = line.split(',')
    // A heading, which newer archives have.
    if (!/^\d+$/.test(id ?? '')) continue
    const isAggregated = /^\d+$/.test(sixth ?? '')
    const time = Number(isAggregated ? sixth : fifth)
    const [from, to] = isAggregated ? [Number(fourth), Number(fifth)] : [Number(id), Number(id)]
    for (let ref = from; ref <= to; ref += 1) yield { ref, price, timeMs: toMs(time) }
  }
}

/** Archives since 2025 have microseconds. A time in milliseconds has 13 digits until the year 2286. */
function toMs(time: number): number {
  return time >= 1e14 ? Math.floor(time / 1_000) : time
}
