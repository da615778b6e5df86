import { type Instant, MINUTE_MS } from '#core/time/instant.ts'

/**
 * An announced time in which no sale is offered, because an event is expected to move the price. Both ends belong to
 * it.
 */
export interface SalePause {
  readonly from: Instant
  readonly until: Instant
}

/**
 * 20 minutes: sales stay paused for this long after the end of a pause, because the movement is measured over 20
 * minutes.
 */
const AFTER_PAUSE_MS = 20 * MINUTE_MS

/** Whether a pause touches the time from 20 minutes before a moment to the expiry of an order. */
export function isSalePaused(pauses: readonly SalePause[], at: Instant, expiresAt: Instant): boolean {
  return pauses.some(({ from, until }) => from <= expiresAt && until >= at - AFTER_PAUSE_MS)
}
