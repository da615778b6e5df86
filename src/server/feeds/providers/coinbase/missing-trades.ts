const MOST_HEARTBEATS = 64

interface Missing {
  readonly id: number
  /** How many more heartbeats may come without it. */
  heartbeats: number
  /** How many there were the last time. */
  readonly waited: number
}

/**
 * Tells a trade that is on its way from one that is lost: a heartbeat names the last trade, and what has not come when
 * the next heartbeat comes is lost. Where asking again does not help, it is told after twice as many heartbeats each time.
 */
export class MissingTrades {
  private readonly missing = new Map<string, Missing>()

  /** Answers the id of a trade that is lost. */
  heartbeat(heard: { symbol: string; lastTradeId: number; newestId: number }): number | null {
    const { symbol, lastTradeId, newestId } = heard
    if (lastTradeId <= newestId) {
      this.missing.delete(symbol)
      return null
    }
    const missing = this.missing.get(symbol)
    if (missing === undefined || newestId >= missing.id) {
      this.missing.set(symbol, { id: lastTradeId, heartbeats: 1, waited: 1 })
      return null
    }
    missing.heartbeats -= 1
    if (missing.heartbeats > 0) return null
    const waited = Math.min(MOST_HEARTBEATS, missing.waited * 2)
    this.missing.set(symbol, { id: lastTradeId, heartbeats: waited, waited })
    return missing.id
  }
}
