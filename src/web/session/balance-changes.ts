type Listener = () => void

const listeners = new Set<Listener>()

/**
 * Runs the listener when the server reports a balance change that no order caused. Returns a function that stops it.
 */
export function onBalanceChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls all listeners. `live-client.ts` calls this when the server reports a balance change. */
export function tellBalanceChange(): void {
  for (const listener of listeners) listener()
}
