import type { TradeResultOut } from '#contract/live/app-socket.ts'

export type OrderResult = TradeResultOut['data']

export interface ResultBookDoors {
  /** Ids that some tab of this browser has announced already, oldest first. */
  loadAnnounced: () => unknown
  saveAnnounced: (ids: readonly string[]) => void
  /** Tells the server that it need not send these again. */
  sendSeen: (ids: readonly string[]) => void
}

/** Announced ids that are remembered; far more than a user has results in the day the server sends them for. */
const REMEMBERED = 500

/**
 * The results of this page load by order id. The server sends a result until it is told that it was seen; here each is
 * told once, whatever comes twice: over a new connection, after a reload, in a second tab.
 */
export function createResultBook(doors: ResultBookDoors) {
  const results = new Map<string, OrderResult>()
  const listeners = new Set<(result: OrderResult) => void>()

  return {
    get: (id: string): OrderResult | null => results.get(id) ?? null,
    take: (result: OrderResult): void => {
      // Said each time: the server may have missed it.
      doors.sendSeen([result.id])
      if (results.has(result.id)) return
      results.set(result.id, result)
      for (const listener of listeners) listener(result)
    },
    onResult: (listener: (result: OrderResult) => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** True for the first who asks in this browser: whoever gets it announces the result. */
    claim: (id: string): boolean => {
      const announced = readIds(doors.loadAnnounced())
      if (announced.includes(id)) return false
      doors.saveAnnounced([...announced, id].slice(-REMEMBERED))
      return true
    },
  }
}

function readIds(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}
