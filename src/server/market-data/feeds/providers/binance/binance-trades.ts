import type { Instant } from '#core/time/instant.ts'
import { aboveZero, decimalText, isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { readMs } from '#server/market-data/feeds/providers/provider-time.ts'
import type {
  ProviderTrades,
  RecordedStretch,
  TradesQuery,
} from '#server/market-data/feeds/providers/provider-trades.ts'
import { MAX_TRADE_PAGES, StretchBuilder, unsound } from '#server/market-data/feeds/providers/recorded-trades.ts'
import type { RestClient } from '#server/market-data/feeds/providers/rest-client.ts'

const PAGE = 1_000

/**
 * A row of `aggTrades`: the trades `first` to `last`, all with the same price and time. Null `trades`: the provider has
 * lost them.
 */
interface Row {
  readonly id: number
  readonly time: Instant
  readonly trades: {
    readonly first: number
    readonly last: number
    readonly price: string
    readonly volume: string
  } | null
}

/**
 * Binance's record of trades. Rows have their own numbers (`a`), which differ from the numbers of trades (`f` to `l`).
 * The first page is requested by time, the following pages by row number.
 */
export class BinanceTrades implements ProviderTrades {
  readonly #rest: Pick<RestClient, 'get'>

  constructor(rest: Pick<RestClient, 'get'>) {
    this.#rest = rest
  }

  async around({ symbol, from, through }: TradesQuery): Promise<RecordedStretch> {
    const name = symbol.toUpperCase()
    const stretch = new StretchBuilder(through)
    let page = await this.#firstPage(name, from.time)
    for (let pages = 1; ; pages += 1) {
      for (const row of page) addRow(stretch, row, 'ref' in from ? from.ref : 0)
      const last = page.at(-1)
      if (stretch.isComplete || last === undefined || page.length < PAGE) break
      if (pages === MAX_TRADE_PAGES) throw unsound('it is longer than one question may read')
      page = await this.#page(name, { fromId: last.id + 1 }, last.id + 1)
    }
    return stretch.end(true)
  }

  /** The page that holds the first row at or after a time, beginning with the row before it. */
  async #firstPage(symbol: string, time: Instant): Promise<Row[]> {
    const [first] = await this.#page(symbol, { startTime: time, limit: 1 })
    if (first !== undefined)
      return first.id === 0
        ? this.#page(symbol, { fromId: 0 }, 0)
        : this.#page(symbol, { fromId: first.id - 1 }, first.id - 1)
    // Without a start, Binance returns the newest rows.
    return await this.#page(symbol, {})
  }

  async #page(symbol: string, query: Readonly<Record<string, number>>, firstId?: number): Promise<Row[]> {
    const reply = await this.#rest.get('/api/v3/aggTrades', { symbol, limit: PAGE, ...query })
    if (!Array.isArray(reply)) throw unsound('the reply contains no trades')
    const rows = reply.map(readRow)
    if (firstId !== undefined && rows[0] !== undefined && rows[0].id !== firstId)
      throw unsound('a page begins elsewhere')
    for (const [at, { id }] of rows.entries())
      if (id !== (rows[0]?.id ?? 0) + at) throw unsound(`row ${id} does not follow the row before`)
    return rows
  }
}

function addRow(stretch: StretchBuilder, { trades, time }: Row, fromRef: number): void {
  if (trades === null) return
  for (let ref = Math.max(trades.first, fromRef); ref <= trades.last; ref += 1)
    stretch.add({ ref, time, price: trades.price, volume: trades.volume })
}

function readRow(row: unknown): Row {
  if (!isObject(row)) throw unsound('a row is no object')
  const { a: id, p, q, f: first, l: last, T } = row
  const time = readMs(T)
  const price = decimalText(p)
  const volume = decimalText(q)
  if (!isNumber(id) || id < 0 || time === null || price === null || volume === null)
    throw unsound('a row has invalid fields')
  if (!isNumber(first) || !isNumber(last)) throw unsound('a row has no numbers')
  // Binance writes lost trades as a row with negative numbers, or with a price of zero.
  if (first < 0 || last < 0 || aboveZero(price) === null) return { id, time, trades: null }
  if (last < first) throw unsound(`the numbers of row ${id} run backwards`)
  return { id, time, trades: { first, last, price, volume } }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}
