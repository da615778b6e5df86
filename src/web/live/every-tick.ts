import { onWakeUp, openBrowserWire, socketAddress } from '#ui/socket/browser-wire.ts'
import { openReconnecting } from '#ui/socket/reconnecting-socket.ts'
import { onResync } from '#web/live/live-client.ts'
import { readServerMessage } from '#web/live/messages.ts'
import { type NumberedTick, numberedTicks } from '#web/live/numbered-ticks.ts'

interface EveryTickOptions {
  /** The plain code: `BTC`, `AAPL`. */
  code: string
  onTicks: (ticks: readonly NumberedTick[]) => void
  /** Called when the subscription has begun: every new tick arrives, and earlier ticks must be requested. */
  onReady: () => void
  onLost: () => void
}

/**
 * Subscribes to every tick of a symbol. Returns a function that stops the subscription. The subscription uses a
 * separate socket, because a `watch` message on the page's socket would end the prices of all other symbols there.
 */
export function followEveryTick({ code, onTicks, onReady, onLost }: EveryTickOptions) {
  const socket = openReconnecting({
    address: () => socketAddress('/ws/app'),
    open: openBrowserWire,
    // A closed market sends nothing. When the page's socket is lost, this socket is restarted as well.
    silenceMs: null,
    onOpen: () => {
      socket.send({ action: 'watch', symbols: [code], every: true })
      // The server processes messages in order, so its reply to this ping shows that the subscription has begun.
      socket.send({ action: 'ping' })
    },
    onMessage: (text) => {
      const message = readServerMessage(text)
      if (message?.kind === 'pong') onReady()
      if (message?.kind !== 'ticks') return
      const ticks = numberedTicks(message.ticks, code)
      if (ticks.length > 0) onTicks(ticks)
    },
    onLost,
  })
  const stops = [onResync(socket.renew), onWakeUp(socket.retryNow), socket.close]
  return (): void => {
    for (const stop of stops) stop()
  }
}
