import { CATALOGUE } from '#core/markets/catalogue.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { assert } from '#core/result.ts'

/** A file that the replay feed plays, and the symbol that gets its prices. */
export interface ReplaySource {
  readonly file: string
  readonly symbol: MarketSymbol
}

/** One-minute bars give one tick a minute, so each price becomes older than the usual limit before the next tick. */
const BARS_MAX_TICK_AGE_MS = 90_000

/**
 * The symbols of the recordings. Ids, codes and names are the catalogue's. The decimals keep recorded prices exact and
 * may differ from the catalogue's. So an installation lists either these symbols or the catalogue's own.
 */
export const REPLAY_SOURCES: readonly ReplaySource[] = [
  source('BTC', 'BTCUSDT-binance-trades-20240808.csv.gz', { decimals: 2 }),
  source('ETH', 'ETHUSDT-binance-trades-20240808.csv.gz', { decimals: 2 }),
  source('LTC', 'LTCUSD-coinbase-1m-20180404.csv.gz', { decimals: 2, maxTickAgeMs: BARS_MAX_TICK_AGE_MS }),
  source('AAPL', 'AAPL-1m-20160415-0429.csv.gz', { decimals: 4, maxTickAgeMs: BARS_MAX_TICK_AGE_MS }),
  source('MSFT', 'MSFT-1m-20160415-0429.csv.gz', { decimals: 4, maxTickAgeMs: BARS_MAX_TICK_AGE_MS }),
  source('SPY', 'SPY-1m-201101.csv.gz', { decimals: 2, maxTickAgeMs: BARS_MAX_TICK_AGE_MS }),
  source('EURUSD', 'EURUSD-oanda-quotes-20140501-05.csv.gz', { decimals: 6 }),
  source('NZDUSD', 'NZDUSD-oanda-quotes-20140501-05.csv.gz', { decimals: 6 }),
]

function source(code: string, file: string, own: { decimals: number; maxTickAgeMs?: number }): ReplaySource {
  const listed = CATALOGUE.find((symbol) => symbol.code === code)
  assert(listed !== undefined, `the catalogue has ${code}`)
  const { id, name, marketType, maxTickAgeMs } = listed
  return { file, symbol: { id, code, name, marketType, maxTickAgeMs, ...own } }
}
