import type { AlertMessage } from '#contract/live/app-socket.ts'

type FiredAlert = AlertMessage['data']
type Listener = (fired: FiredAlert) => void

const listeners = new Set<Listener>()

/** Runs the listener when a price alert of the user has fired. Returns a function that stops it. */
export function onFiredAlert(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls all listeners. `live-client.ts` calls this when the server reports a fired alert. */
export function tellFiredAlert(fired: FiredAlert): void {
  for (const listener of listeners) listener(fired)
}
