import type { KlineMessage } from '#contract/live/candle-socket.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { onWakeUp, openBrowserWire, socketAddress } from '#ui/socket/browser-wire.ts'
import { onResync } from '#web/live/live-client.ts'
import { openReconnecting } from '#ui/socket/reconnecting-socket.ts'

export interface CandleFeedOptions {
  /** Id of the product: `BTCUSDT`, `AAPL`. */
  productId: string
  interval: ChartInterval
  onCandle: (candle: KlineMessage['k']) => void
  /** The connection is back after a loss, so candles may be missing. */
  onResync: () => void
}

/**
 * Subscribes to the candles of a symbol; returns a function that stops the subscription. A closed market sends nothing,
 * so silence does not mean a lost connection. When the app socket is lost, this socket is restarted as well.
 */
export function followCandles({ productId, interval, onCandle, onResync: missed }: CandleFeedOptions): () => void {
  let wasConnected = false
  const socket = openReconnecting({
    address: () => socketAddress(`/ws/${productId.toLowerCase()}@kline_${interval}`),
    open: openBrowserWire,
    silenceMs: null,
    onOpen: () => {
      if (wasConnected) missed()
      wasConnected = true
    },
    onMessage: (text) => {
      const candle = readCandle(text)
      if (candle !== null) onCandle(candle)
    },
    onLost: () => undefined,
  })
  const stopResync = onResync(socket.renew)
  const stopWakeUp = onWakeUp(socket.retryNow)
  return () => {
    stopResync()
    stopWakeUp()
    socket.close()
  }
}

function readCandle(text: string): KlineMessage['k'] | null {
  try {
    const value: unknown = JSON.parse(text)
    const isKline = typeof value === 'object' && value !== null && 'e' in value && value.e === 'kline'
    return isKline ? (value as KlineMessage).k : null
  } catch {
    return null
  }
}
