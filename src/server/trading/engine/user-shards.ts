/**
 * The lane, out of `lanes`, that accepts and settles all orders of a user. Concurrent statements then never lock the balance of the same
 * user. Otherwise each would wait for the other's commit, and two lanes would be no faster than one.
 */
export function shardOf(userId: string, lanes: number): number {
  // The last digits of an id are random.
  return Number.parseInt(userId.slice(-4), 16) % lanes
}

/** Groups orders by shard. Shards without orders get an empty array. */
export function groupByShard<T extends { readonly userId: string }>(orders: readonly T[], lanes: number): T[][] {
  const own = Array.from({ length: lanes }, (): T[] => [])
  for (const order of orders) own[shardOf(order.userId, lanes)]?.push(order)
  return own
}
