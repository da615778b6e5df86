import type { Candle } from '#core/markets/candle.ts'
import { price, volume } from '#core/money/price.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'

/** A price line of the tick log. */
export interface LoggedPrice {
  readonly symbolId: number
  readonly units: number
  readonly volume: number
  readonly time: number
}

/** Parses the canonical text of a batch, independently of the product's code. */
export function readLog(payload: string): LoggedPrice[] {
  return payload
    .split('\n')
    .flatMap((line) => /^(?:t )?(\d+ \d+ \d+ .*)$/.exec(line)?.[1] ?? [])
    .map((line) => {
      const [, symbolId = 0, units = 0, traded = 0, time = 0] = line.split(' ').map(Number)
      return { symbolId, units, volume: traded, time }
    })
}

/** Folds logged prices to candles by opening time. All other candles are compared with these. */
export function foldLog(log: readonly LoggedPrice[], interval: ChartInterval): Map<number, Candle> {
  const length = intervalMs(interval)
  const byBar = new Map<number, LoggedPrice[]>()
  for (const logged of log) {
    const open = Math.floor(logged.time / length) * length
    const bar = byBar.get(open)
    if (bar === undefined) byBar.set(open, [logged])
    else bar.push(logged)
  }
  return new Map(
    [...byBar].map(([open, bar]) => {
      const units = bar.map((logged) => logged.units)
      return [
        open,
        {
          openTime: instant(open),
          open: price(units[0] ?? 0),
          high: price(Math.max(...units)),
          low: price(Math.min(...units)),
          close: price(units.at(-1) ?? 0),
          volume: volume(bar.reduce((sum, logged) => sum + logged.volume, 0)),
        },
      ]
    }),
  )
}
