/**
 * Returns the number of the lane that accepts and settles all orders of a user. So concurrent statements never lock the
 * balance of the same user. Otherwise one statement would wait for the commit of another, and two lanes would be no
 * faster than one.
 */
export function shardOf(userId: string, lanes: number): number {
  // The last digits of an id are random.
  return Number.parseInt(userId.slice(-4), 16) % lanes
}

/** Groups orders by the lane of their user. A lane without orders gets an empty array. */
export function groupByShard<T extends { readonly userId: string }>(orders: readonly T[], lanes: number): T[][] {
  const own = Array.from({ length: lanes }, (): T[] => [])
  for (const order of orders) own[shardOf(order.userId, lanes)]?.push(order)
  return own
}
