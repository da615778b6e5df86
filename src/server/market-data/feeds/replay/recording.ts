import { isOpen } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import { parsePrice, volume, VOLUME_DECIMALS, type Price, type Volume } from '#core/money/price.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { instant, later, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'

/** A row of a recorded file. */
export interface RecordedRow {
  readonly time: Instant
  readonly price: Price
  readonly volume: Volume
}

/** Rows on a continuous timeline that begins at 0. */
export interface Recording {
  /** Milliseconds from the first row, with long gaps shortened. Ascending; equal within one millisecond. */
  readonly positions: Float64Array
  readonly prices: Float64Array
  readonly volumes: Float64Array
  /** The length of the recording, from the first row to its repetition. */
  readonly loopMs: number
}

/** Nights, weekends and other gaps longer than 5 minutes are shortened to a second. */
const MAX_GAP_MS = 5 * MINUTE_MS
const SHORTENED_GAP_MS = SECOND_MS

/**
 * Parses `time_ms_utc,price[,volume]` with one header line. Prices must be exact in `decimals`, and volumes are truncated to millionths.
 * Throws with the line number on anything else, and on rows that run back in time.
 */
export function parseRecording(text: string, decimals: number): RecordedRow[] {
  const lines = text.trimEnd().split('\n')
  // The same few hundred prices occur again and again, so each text is parsed once.
  const known = new Map<string, Price | null>()
  const priceOf = (priceText: string): Price | null => {
    let found = known.get(priceText)
    if (found === undefined) {
      found = parsePrice(priceText, decimals)
      known.set(priceText, found)
    }
    return found
  }
  let last = -Infinity
  return lines.slice(1).map((line, at) => {
    const row = parseRow(line, priceOf)
    if (row === null || row.time < last) throw new Error(`line ${at + 2} of a recording is invalid: ${line}`)
    last = row.time
    return row
  })
}

function parseRow(line: string, priceOf: (text: string) => Price | null): RecordedRow | null {
  const [time = '', priceText = '', volumeText, ...rest] = line.split(',')
  const price = priceOf(priceText)
  const traded = volumeText === undefined ? volume(0) : parseVolume(volumeText)
  if (!/^\d{1,15}$/.test(time) || price === null || traded === null || rest.length > 0) return null
  return { time: instant(Number(time)), price, volume: traded }
}

function parseVolume(text: string): Volume | null {
  const point = text.indexOf('.')
  const cut = point === -1 ? text : text.slice(0, point + 1 + VOLUME_DECIMALS)
  const value = parseDecimal(cut, VOLUME_DECIMALS)
  return value === null ? null : volume(value)
}

/**
 * Returns a stock's rows within exchange hours, including rows exactly at both bells. For other markets, returns all
 * rows.
 */
export function regularHours(marketType: MarketType, rows: readonly RecordedRow[]): readonly RecordedRow[] {
  if (marketType !== 'us_stocks') return rows
  // A row exactly at the closing bell belongs to the ending session, so the moment before is checked too.
  return rows.filter(({ time }) => isOpen(marketType, time) || isOpen(marketType, later(time, -1)))
}

export function layOut(rows: readonly RecordedRow[]): Recording {
  const positions = new Float64Array(rows.length)
  let position = 0
  let last = rows[0]?.time ?? 0
  for (const [at, row] of rows.entries()) {
    const gap = row.time - last
    position += gap > MAX_GAP_MS ? SHORTENED_GAP_MS : gap
    positions[at] = position
    last = row.time
  }
  return {
    positions,
    prices: Float64Array.from(rows, (row) => row.price),
    volumes: Float64Array.from(rows, (row) => row.volume),
    loopMs: position + SHORTENED_GAP_MS,
  }
}
