const MOST_HEARTBEATS = 64

interface Missing {
  /** The trade that a heartbeat named, and the newest we had. */
  readonly id: number
  readonly newestId: number
  /** How many more heartbeats may come without it. */
  heartbeats: number
  /** How many there were the last time. */
  readonly waited: number
}

/**
 * Tells a trade that is on its way from one that is lost: a heartbeat names the last trade, and what has not come when
 * the next heartbeat comes is lost. Where asking again does not help, it is told after twice as many heartbeats each time.
 * The other way round, a heartbeat that does not know our newest trade may have been on its way when that came.
 */
export class MissingTrades {
  private readonly missing = new Map<string, Missing>()

  /** Answers the id of a trade that is lost. */
  heartbeat(heard: { symbol: string; lastTradeId: number; newestId: number }): number | null {
    const { symbol, lastTradeId, newestId } = heard
    if (lastTradeId === newestId) {
      this.missing.delete(symbol)
      return null
    }
    const missing = this.missing.get(symbol)
    if (missing === undefined || missing.newestId !== newestId) {
      this.missing.set(symbol, { id: lastTradeId, newestId, heartbeats: 1, waited: 1 })
      return null
    }
    missing.heartbeats -= 1
    if (missing.heartbeats > 0) return null
    const waited = Math.min(MOST_HEARTBEATS, missing.waited * 2)
    this.missing.set(symbol, { id: lastTradeId, newestId, heartbeats: waited, waited })
    return missing.id
  }
}
