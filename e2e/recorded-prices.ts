import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/**
 * The recorded prices, read independently of the product and from the written rules alone. The time between two rows
 * stays as recorded, but a silence of over five minutes becomes one second. One second after the last row, the
 * recording starts again. The first repetition begins in 1970, shifted by the offset.
 */
export class RecordedPrices {
  readonly #positions: number[] = []
  readonly #prices: number[] = []
  readonly #loopMs: number
  readonly #offsetMs: number

  constructor(file: string, offsetMs: number) {
    const text = gunzipSync(readFileSync(new URL(`../data/market/${file}`, import.meta.url))).toString()
    let position = 0
    let before: number | undefined
    for (const line of text.trim().split('\n').slice(1)) {
      const [time = '', price = ''] = line.split(',')
      const gap = before === undefined ? 0 : Number(time) - before
      position += gap > 300_000 ? 1_000 : gap
      before = Number(time)
      this.#positions.push(position)
      this.#prices.push(Number(price))
    }
    this.#loopMs = position + 1_000
    this.#offsetMs = offsetMs
  }

  /** Returns the last recorded price at or before a time: the exit price of an order that expires then. */
  priceAt(instantMs: number): number {
    const since = this.positionAt(instantMs)
    const row = this.#positions.findLastIndex((position) => position <= since)
    return this.#prices[row] ?? this.#prices.at(-1) ?? Number.NaN
  }

  /** Whether a row with exactly this price has exactly this time, to the millisecond. */
  has(price: number, instantMs: number): boolean {
    const since = this.positionAt(instantMs)
    return this.#positions.some((position, row) => position === since && this.#prices[row] === price)
  }

  /** Returns the lowest and highest current price in [from, to]. */
  range(fromMs: number, toMs: number): { lowest: number; highest: number } {
    const seen: number[] = []
    for (let at = fromMs; at <= toMs; at += 20) seen.push(this.priceAt(at))
    return { lowest: Math.min(...seen), highest: Math.max(...seen) }
  }

  positionAt(instantMs: number): number {
    const since = (instantMs + this.#offsetMs) % this.#loopMs
    return since < 0 ? since + this.#loopMs : since
  }

  /** Returns the offset that maps a time to a position of the recording. */
  static offsetFor(file: string, instantMs: number, position: number): number {
    const plain = new RecordedPrices(file, 0)
    const offset = (position - plain.positionAt(instantMs)) % plain.#loopMs
    return offset < 0 ? offset + plain.#loopMs : offset
  }
}

export const BTC_FILE = 'BTCUSDT-binance-trades-20240808.csv.gz'
export const LTC_FILE = 'LTCUSD-coinbase-1m-20180404.csv.gz'
/**
 * From this position on, Litecoin's price is constant for five minutes. Every order within these five minutes is a
 * draw.
 */
export const LTC_FLAT_FROM_MS = 14_400_000
