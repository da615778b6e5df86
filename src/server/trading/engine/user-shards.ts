/**
 * The lane by which all orders of a user are taken and settled, of so many: statements that run at the same time never want
 * the balance of the same user, or each would wait for the other to commit and two lanes would be no faster than one.
 */
export function laneOf(userId: string, lanes: number): number {
  // The last digits of an id are by chance.
  return Number.parseInt(userId.slice(-4), 16) % lanes
}

/** These orders by their lane; empty where a lane has none. */
export function byLane<T extends { readonly userId: string }>(orders: readonly T[], lanes: number): T[][] {
  const own = Array.from({ length: lanes }, (): T[] => [])
  for (const order of orders) own[laneOf(order.userId, lanes)]?.push(order)
  return own
}
