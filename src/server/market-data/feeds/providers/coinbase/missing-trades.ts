const MAX_HEARTBEATS = 64

interface Missing {
  /** The id of the trade that a heartbeat named, and the id of the newest trade received by then. */
  readonly id: number
  readonly newestId: number
  /** How many more heartbeats may arrive before the trade counts as lost. */
  heartbeats: number
  /**
   * The number of heartbeats with which the current wait began. The next wait has twice as many, up to
   * `MAX_HEARTBEATS`.
   */
  readonly waited: number
}

/**
 * Distinguishes a trade in flight from a lost one. A heartbeat names the last trade; if that is still missing at the
 * next heartbeat, it is lost. When a new subscription does not bring the trade, the trade is reported again after twice
 * as many heartbeats each time. A heartbeat that does not know our newest trade may have been sent before that trade.
 */
export class MissingTrades {
  private readonly missing = new Map<string, Missing>()

  /** Returns the id of a lost trade; null when none is lost. */
  heartbeat(report: { symbol: string; lastTradeId: number; newestId: number }): number | null {
    const { symbol, lastTradeId, newestId } = report
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
    const waited = Math.min(MAX_HEARTBEATS, missing.waited * 2)
    this.missing.set(symbol, { id: lastTradeId, newestId, heartbeats: waited, waited })
    return missing.id
  }
}
