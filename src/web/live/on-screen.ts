const shown = new Map<string, number>()

/**
 * Marks an order as visible on the screen, so that its result or refusal needs no toast. An order without a reply is
 * marked by its client id. Returns a function that removes the mark.
 */
export function keepOnScreen(orderId: string): () => void {
  shown.set(orderId, (shown.get(orderId) ?? 0) + 1)
  return () => {
    const left = (shown.get(orderId) ?? 1) - 1
    if (left === 0) shown.delete(orderId)
    else shown.set(orderId, left)
  }
}

export function isOnScreen(orderId: string): boolean {
  return shown.has(orderId)
}
