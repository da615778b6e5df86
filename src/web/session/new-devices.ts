type Listener = (device: string) => void

const listeners = new Set<Listener>()

/** Runs the listener when an unknown device logs in to this account. Returns a function that stops it. */
export function onNewDevice(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Called by the receiver of the server's messages. */
export function tellNewDevice(device: string): void {
  for (const listener of listeners) listener(device)
}
