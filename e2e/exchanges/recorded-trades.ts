import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A trade of a recording, with the values of its exchange. */
export interface RecordedTrade {
  readonly price: string
  readonly volume: string
  /** The time of the trade as recorded, in ms since 1970. */
  readonly timeMs: number
}

/** A message as the exchange sent it, with the time of its last event. */
export interface RecordedMessage {
  readonly text: string
  readonly trades: readonly RecordedTrade[]
  readonly timeMs: number
}

export interface Bar {
  readonly openMs: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

const VOLUME_DECIMALS = 8

/** Trades of an exchange, read independently of the product and shifted to the present by `offsetMs`. */
export class RecordedTrades {
  readonly #trades: readonly RecordedTrade[]
  readonly #offsetMs: number

  constructor(trades: readonly RecordedTrade[], offsetMs: number) {
    this.#trades = trades
    this.#offsetMs = offsetMs
  }

  /** Returns the last recorded price at or before a time. */
  priceAt(instantMs: number): number {
    const last = this.#trades.findLast(({ timeMs }) => timeMs + this.#offsetMs <= instantMs)
    return Number(last?.price)
  }

  /** Whether a trade with exactly this price happened in exactly this millisecond. */
  has(price: number, instantMs: number): boolean {
    return this.#trades.some((trade) => trade.timeMs + this.#offsetMs === instantMs && Number(trade.price) === price)
  }

  /** Whether this was the price of the latest trade at some time in [fromMs, toMs]. */
  isOf(price: number, fromMs: number, toMs: number): boolean {
    if (this.priceAt(fromMs) === price) return true
    return this.#trades.some((trade) => {
      const at = trade.timeMs + this.#offsetMs
      return at > fromMs && at <= toMs && Number(trade.price) === price
    })
  }

  /**
   * Returns the bar that begins at `openMs` as it was when its volume was `volume`. Null if the bar never had this
   * volume.
   */
  barWith(openMs: number, volume: number, lengthMs = 60_000): Bar | null {
    const inside = this.#trades.filter(({ timeMs }) => isIn(timeMs + this.#offsetMs, openMs, lengthMs))
    for (let count = 1; count <= inside.length; count += 1) {
      const bar = fold(inside.slice(0, count), openMs)
      if (bar?.volume === volume) return bar
    }
    return null
  }

  /** Returns the complete bar that begins at `openMs`. */
  bar(openMs: number, lengthMs = 60_000): Bar | null {
    const inside = this.#trades.filter(({ timeMs }) => isIn(timeMs + this.#offsetMs, openMs, lengthMs))
    return fold(inside, openMs)
  }
}

function isIn(at: number, openMs: number, lengthMs: number): boolean {
  return at >= openMs && at < openMs + lengthMs
}

/** Builds a bar from trades. The sum of the volumes is exact, because the function adds integers. */
function fold(trades: readonly RecordedTrade[], openMs: number): Bar | null {
  const prices = trades.map(({ price }) => Number(price))
  const [open] = prices
  const close = prices.at(-1)
  if (open === undefined || close === undefined) return null
  const volume = trades.reduce((sum, trade) => sum + units(trade.volume), 0n)
  const [high, low] = [Math.max(...prices), Math.min(...prices)]
  return { openMs, open, high, low, close, volume: Number(volume) / 10 ** VOLUME_DECIMALS }
}

/** Reads Binance's trades of one stream, in the order in which they were sent. */
export function readBinance(file: string): RecordedMessage[] {
  return lines(file).map((text) => {
    const { data } = JSON.parse(text) as { data: { p: string; q: string; T: number; E: number } }
    return { text, trades: [{ price: data.p, volume: data.q, timeMs: data.T }], timeMs: Math.max(data.E, data.T) }
  })
}

/** Finnhub's condition code for trades of fewer than 100 shares, which do not set the market price. */
const ODD_LOT = '12'

/** Reads Finnhub's frames. Times within a frame can decrease, so its trades are sorted by time. */
export function readFinnhub(file: string): RecordedMessage[] {
  return lines(file).map((text) => {
    const { data } = JSON.parse(text) as { data: { c: string[]; p: number; v: number; t: number }[] }
    const trades = data
      .filter(({ c }) => !c.includes(ODD_LOT))
      .map(({ p, v, t }) => ({ price: String(p), volume: String(v), timeMs: t }))
      .toSorted((a, b) => a.timeMs - b.timeMs)
    return { text, trades, timeMs: Math.max(...data.map(({ t }) => t)) }
  })
}

/** Shifts the times in a message. All other bytes stay as recorded. */
export function later(text: string, offsetMs: number): string {
  return text.replaceAll(
    /"([ETt])":(\d{13})\b/g,
    (_, name: string, time: string) => `"${name}":${Number(time) + offsetMs}`,
  )
}

function lines(file: string): string[] {
  const bytes = readFileSync(new URL(`../../data/wire/${file}`, import.meta.url))
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim().split('\n')
}

function units(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(VOLUME_DECIMALS, '0').slice(0, VOLUME_DECIMALS))
}
