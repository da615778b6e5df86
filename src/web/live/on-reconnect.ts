import { onWakeUp } from '#ui/socket/browser-wire.ts'
import { onResync } from '#web/live/live-client.ts'

/**
 * Runs the listener whenever data that failed to load may load now: the network or the server is back, or the page
 * became visible. Returns a function that stops it.
 */
export function onReconnect(listener: () => void): () => void {
  const stops = [onResync(listener), onWakeUp(listener)]
  return () => {
    for (const stop of stops) stop()
  }
}
