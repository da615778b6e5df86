import type { KlineMessage } from '#contract/live/candle-socket.ts'
import type { KlineRow } from '#contract/markets.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { call } from '#web/api/call.ts'
import type { Bar } from '#web/chart/bar.ts'

export interface CandleQuery {
  symbol: string
  interval: ChartInterval
  limit?: number
  /** Only candles that opened before this moment, milliseconds UTC. */
  before?: number
}

/** Candles, oldest first; the last one may still be open. */
export async function loadBars(query: CandleQuery, signal?: AbortSignal): Promise<Bar[]> {
  const { symbol, interval, limit = 500, before } = query
  const body = { symbol, interval, limit, ...(before !== undefined && { endTime: before - 1 }) }
  const { data } = await call('POST /user/kline-historical', { body, signal })
  return data.map(barOfRow)
}

export function barOfRow([time, open, high, low, close, volume]: KlineRow): Bar {
  return { time, open, high, low, close, volume }
}

export function barOfMessage({ t, o, h, l, c, v }: KlineMessage['k']): Bar {
  return { time: t, open: Number(o), high: Number(h), low: Number(l), close: Number(c), volume: Number(v) }
}
