type Listener = (device: string) => void

const listeners = new Set<Listener>()

/** Calls back when somebody signs in to this account from a device that was not known; answers how to stop. */
export function onNewDevice(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Said by whoever hears the server. */
export function tellNewDevice(device: string): void {
  for (const listener of listeners) listener(device)
}
