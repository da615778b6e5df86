import { ALWAYS, nextOpen, nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { Instant } from '#core/time/instant.ts'

/** A closure that staff planned in advance. A closure can only remove hours from the calendar, never add any. */
export interface PlannedClosure {
  readonly marketType: MarketType
  /** Start of the closure, inclusive. */
  readonly from: Instant
  /** End of the closure. The market opens then if its calendar is open. */
  readonly to: Instant
  /** The reason shown to all users. */
  readonly reason: string
}

/** The state of a market type at one instant: its calendar minus the planned closures. */
export interface Trading {
  readonly isOpen: boolean
  /** The next opening while the market is closed, else null. */
  readonly opensAt: Instant | null
  /** The end of the current session while the market is open. Null when it never ends. */
  readonly closesAt: Instant | null
  /** The planned closure in effect now. */
  readonly closure: PlannedClosure | null
}

export function tradingAt(marketType: MarketType, at: Instant, planned: readonly PlannedClosure[]): Trading {
  const own = planned.filter((closure) => closure.marketType === marketType)
  const closure = goingOn(own, at)
  const { open, close } = nextSession(marketType, at)
  if (closure !== null || open > at) {
    return { isOpen: false, opensAt: nextOpening(marketType, at, own), closesAt: null, closure }
  }
  let end = close
  for (const { from, to } of own) if (from > at && to > from && from < end) end = from
  return { isOpen: true, opensAt: null, closesAt: end === ALWAYS.close ? null : end, closure: null }
}

/** Whether an order ends within the session in which it was opened. The closing instant is included. */
export function expiryFits({ isOpen, closesAt }: Trading, openedAt: Instant, expiresAt: Instant): boolean {
  return isOpen && expiresAt >= openedAt && (closesAt === null || expiresAt <= closesAt)
}

function goingOn(own: readonly PlannedClosure[], at: Instant): PlannedClosure | null {
  return own.find(({ from, to }) => from <= at && at < to) ?? null
}

function nextOpening(marketType: MarketType, at: Instant, own: readonly PlannedClosure[]): Instant {
  let opening = nextOpen(marketType, at)
  for (let closure = goingOn(own, opening); closure !== null; closure = goingOn(own, opening)) {
    opening = nextOpen(marketType, closure.to)
  }
  return opening
}
