type Listener = () => void

const listeners = new Set<Listener>()

/** Calls back whenever the server says that money of the user has moved other than by an order; answers how to stop. */
export function onBalanceChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Said by whoever hears the server. */
export function tellBalanceChange(): void {
  for (const listener of listeners) listener()
}
