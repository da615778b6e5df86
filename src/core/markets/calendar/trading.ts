import { ALWAYS, nextOpen, nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { Instant } from '#core/time/instant.ts'

/** Hours that the operator takes out of the calendar, said beforehand. Nothing can be added to it. */
export interface PlannedClosure {
  readonly marketType: MarketType
  /** Closed from then on. */
  readonly from: Instant
  /** Open again at this moment, if the calendar is. */
  readonly to: Instant
  /** What everyone reads. */
  readonly reason: string
}

/** A kind of market at one moment: its calendar without the hours that were planned to be closed. */
export interface Trading {
  readonly isOpen: boolean
  /** While closed: the next opening. */
  readonly opensAt: Instant | null
  /** While open: the end of the stretch without a break, null when it has none. */
  readonly closesAt: Instant | null
  /** The planned closure going on now. */
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

/** An order has to end inside the stretch it was opened in; the closing moment itself still counts. */
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
