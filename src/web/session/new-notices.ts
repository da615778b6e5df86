type Listener = () => void

const listeners = new Set<Listener>()

/** Runs the listener when the server reports a notice. Returns a function that stops it. */
export function onNewNotice(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls all listeners. `live-client.ts` calls this when the server reports a new notice. */
export function tellNewNotice(): void {
  for (const listener of listeners) listener()
}
