type Listener = (device: string) => void

const listeners = new Set<Listener>()

/** Runs the listener when an unknown device logs in to this account. Returns a function that stops it. */
export function onNewDevice(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls all listeners. `live-client.ts` calls this when the server reports a log-in from an unknown device. */
export function tellNewDevice(device: string): void {
  for (const listener of listeners) listener(device)
}
