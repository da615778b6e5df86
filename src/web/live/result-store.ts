import type { TradeResultOut } from '#contract/live/app-socket.ts'

export type OrderResult = TradeResultOut['data']

export interface ResultStoreDeps {
  /** Ids of results that a tab of this browser has announced, oldest first. */
  loadAnnounced: () => unknown
  saveAnnounced: (ids: readonly string[]) => void
  /** Acknowledges results, so that the server stops sending them. */
  sendSeen: (ids: readonly string[]) => void
}

/** Maximum number of remembered ids. A user has far fewer results in the day for which the server repeats them. */
const REMEMBERED = 500

/**
 * Stores the results of this page load by order id. The server repeats a result until it is acknowledged. Each result
 * is announced once, even after a new connection, after a reload or in a second tab.
 */
export function createResultStore(deps: ResultStoreDeps) {
  const results = new Map<string, OrderResult>()
  const listeners = new Set<(result: OrderResult) => void>()

  return {
    get: (id: string): OrderResult | null => results.get(id) ?? null,
    take: (result: OrderResult): void => {
      // Acknowledged on each delivery: the server may have missed the previous acknowledgement.
      deps.sendSeen([result.id])
      if (results.has(result.id)) return
      results.set(result.id, result)
      for (const listener of listeners) listener(result)
    },
    onResult: (listener: (result: OrderResult) => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** True for the first caller in all tabs of this browser, which then announces the result. */
    claim: (id: string): boolean => {
      const announced = readIds(deps.loadAnnounced())
      if (announced.includes(id)) return false
      deps.saveAnnounced([...announced, id].slice(-REMEMBERED))
      return true
    },
  }
}

export type ResultStore = ReturnType<typeof createResultStore>

function readIds(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}
