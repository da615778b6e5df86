import type { Instant } from '#core/time/instant.ts'
import { decimalText, isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { readIsoTime, readPriceText } from '#server/market-data/feeds/providers/message-parts.ts'
import type {
  ProviderTrades,
  RecordedStretch,
  RecordedTrade,
  TradesQuery,
} from '#server/market-data/feeds/providers/provider-trades.ts'
import { MAX_TRADE_PAGES, StretchBuilder, unsound } from '#server/market-data/feeds/providers/recorded-trades.ts'
import type { RestClient } from '#server/market-data/feeds/providers/rest-client.ts'

const PAGE = 1_000

/** Coinbase Exchange's record of trades: pages before a number, newest first. */
export class ExchangeTrades implements ProviderTrades {
  readonly #rest: Pick<RestClient, 'get'>

  constructor(rest: Pick<RestClient, 'get'>) {
    this.#rest = rest
  }

  async around({ symbol, from, through }: TradesQuery): Promise<RecordedStretch> {
    const stretch = new StretchBuilder(through)
    let newest = await this.#newest(symbol)
    let after = 'ref' in from ? from.ref : await this.#numberAt(symbol, from.time, newest)
    for (let pages = 0; newest !== null && !stretch.isComplete; pages += 1) {
      if (pages === MAX_TRADE_PAGES) throw unsound('it is longer than one question may read')
      // The page ends before this number, so it begins at `after` unless numbers are absent.
      const page = await this.#page(symbol, after + PAGE)
      for (const trade of page) if (trade.ref >= after) stretch.add(trade)
      if (after + PAGE > newest.ref) {
        // More trades may have been made since `newest` was read. The page contains the newest trade when its last
        // trade is no older than `newest`.
        if ((page.at(-1)?.ref ?? -1) < newest.ref) throw unsound('the newest trade is missing in its page')
        break
      }
      after += PAGE
      newest = after > newest.ref ? await this.#newest(symbol) : newest
    }
    return stretch.end(true)
  }

  async #newest(symbol: string): Promise<RecordedTrade | null> {
    return (await this.#page(symbol, null, 1)).at(-1) ?? null
  }

  /** The number of the last trade before a time, by bisection: trades ascend in number and, nearly, in time. */
  async #numberAt(symbol: string, time: Instant, newest: RecordedTrade | null): Promise<number> {
    let low = 0
    let known = 1
    let high = newest === null ? 0 : newest.ref
    if (newest !== null && newest.time < time) return newest.ref
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      const [found] = await this.#page(symbol, middle + 1, 1)
      if (found !== undefined && found.time >= time) high = middle
      else {
        low = middle
        known = found?.ref ?? known
      }
    }
    return known
  }

  /** A page before a number, ascending. Null: the newest page. */
  async #page(symbol: string, before: number | null, limit = PAGE): Promise<RecordedTrade[]> {
    const path = `/products/${encodeURIComponent(symbol)}/trades`
    const reply = await this.#rest.get(path, before === null ? { limit } : { limit, after: before })
    if (!Array.isArray(reply)) throw unsound('the reply contains no trades')
    const trades = reply.map(readTrade).toReversed()
    for (const [at, { ref }] of trades.entries()) {
      if (before !== null && ref >= before) throw unsound(`trade ${ref} is not before ${before}`)
      if (at > 0 && ref <= (trades[at - 1]?.ref ?? 0)) throw unsound(`trade ${ref} is not in order`)
    }
    return trades
  }
}

function readTrade(row: unknown): RecordedTrade {
  if (!isObject(row)) throw unsound('a row is no object')
  const { trade_id: ref, price: rawPrice, size, time: at } = row
  const price = readPriceText(rawPrice)
  const volume = decimalText(size)
  const time: Instant | null = readIsoTime(at)
  if (typeof ref !== 'number' || !Number.isSafeInteger(ref) || ref < 1) throw unsound('a row has no number')
  if (price === null || volume === null || time === null) throw unsound(`trade ${ref} has invalid fields`)
  return { ref, price, volume, time }
}
