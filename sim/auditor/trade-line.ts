/** A trade in the full list of a source. `units` is 0 when the trade has no valid price. */
export interface Trade {
  readonly ref: number
  readonly units: number
  readonly time: number
}

/** How the tick log accounts for a trade number. Null if it does not. */
export type LoggedAs = 'price' | 'left out' | null

/** 1 %: prices that differ by more are far apart. */
const FAR_PERCENT = 1
/** A price serves as reference for ten times the maximum age at which a price may settle an order. */
const REFERENCE_AGES = 10

/**
 * Which trades of a list are prices by the rules, and which trades are near a jump. A stream may judge trades near a
 * jump differently.
 */
export interface JudgedTrades {
  readonly isPrice: readonly boolean[]
  readonly isNearJump: readonly boolean[]
}

/**
 * Judges a full list of trades in the order of their numbers. A trade is not a price if it has no valid price, or if
 * its time is before the time of a trade with a smaller number. A single trade far from the prices before and after it
 * is not a price either.
 */
export function judgeTrades(trades: readonly Trade[], maxAgeMs: number): JudgedTrades {
  const isPrice = trades.map(() => false)
  const isNearJump = trades.map(() => false)
  let newest = 0
  let reference: Trade | null = null
  let jump: { at: number; trade: Trade } | null = null
  let jumpedAt = Number.NEGATIVE_INFINITY
  for (const [at, trade] of trades.entries()) {
    if (trade.units <= 0 || trade.time < newest) continue
    newest = trade.time
    // After a jump, a newly started server has only the far price as its reference.
    isNearJump[at] = trade.time - jumpedAt <= REFERENCE_AGES * maxAgeMs
    if (jump !== null) {
      const isConfirmed = trade.time - jump.trade.time < maxAgeMs && !isFar(trade, jump.trade)
      if (isConfirmed) isPrice[jump.at] = true
      jump = null
      if (isConfirmed) {
        isPrice[at] = true
        reference = trade
        continue
      }
    }
    const isKnown = reference !== null && trade.time - reference.time <= REFERENCE_AGES * maxAgeMs
    if (isKnown && reference !== null && isFar(trade, reference)) {
      jump = { at, trade }
      jumpedAt = trade.time
      isNearJump[at] = true
    } else {
      isPrice[at] = true
      reference = trade
    }
  }
  return { isPrice, isNearJump }
}

function isFar(a: Trade, b: Trade): boolean {
  return Math.abs(a.units - b.units) * 100 > b.units * FAR_PERCENT
}

/** The last price up to an expiry and the first price after the expiry. Null for a price that does not exist. */
export interface Around {
  readonly last: Trade | null
  readonly next: Trade | null
}

/**
 * The trades around an expiry by the full list. Near a jump the tick log decides, because the server judged such a
 * trade when it arrived. For all other trades the tick log is ignored.
 */
export function tradesAround(
  trades: readonly Trade[],
  { isPrice, isNearJump }: JudgedTrades,
  expiresAt: number,
  loggedAs: (ref: number) => LoggedAs,
): Around {
  let last: Trade | null = null
  for (const [at, trade] of trades.entries()) {
    const logged = isNearJump[at] === true ? loggedAs(trade.ref) : null
    if (!(logged === null ? isPrice[at] : logged === 'price')) continue
    if (trade.time > expiresAt) return { last, next: trade }
    last = trade
  }
  return { last, next: null }
}
