import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Instant } from '#core/time/instant.ts'
import type { ScriptedTrade } from '#test/support/providers/record-server.ts'

const FILE = new URL('../../data/market/BTCUSDT-binance-trades-20240808.csv.gz', import.meta.url)
const FIRST_REF = 3_700_000_000

interface Row {
  readonly afterMs: number
  readonly price: string
  readonly volume: string
}

/**
 * Recorded trades of BTC, moved to `from` and repeated until `until`. Keeps only every `every`-th recorded trade. The
 * trade numbers rise by one.
 */
export function recordedTrades(from: Instant, until: Instant, every = 1): ScriptedTrade[] {
  const rows = readRows().filter((_, at) => at % every === 0)
  const loopMs = (rows.at(-1)?.afterMs ?? 0) + 1_000
  const trades: ScriptedTrade[] = []
  for (let loop = 0; from + loop * loopMs <= until; loop += 1) {
    for (const { afterMs, price, volume } of rows) {
      const timeMs = from + loop * loopMs + afterMs
      if (timeMs <= until) trades.push({ ref: FIRST_REF + trades.length, price, volume, timeMs })
    }
  }
  return trades
}

function readRows(): Row[] {
  const [, ...lines] = gunzipSync(readFileSync(FILE)).toString().trim().split('\n')
  const rows = lines.map((line) => line.split(','))
  const begin = Number(rows[0]?.[0])
  return rows.map(([time, price = '', volume = '']) => ({ afterMs: Number(time) - begin, price, volume }))
}
