/** Share of the order's duration that is shown before the entry, so that the entry is seen in context. */
const LEAD_SHARE = 0.22
const TAIL_SHARE = 0.2
const MAX_POINTS = 360

export interface LineGrid {
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
}

/**
 * Returns the even grid of times for an order's chart. The chart library spaces points evenly, so their times must be
 * even.
 */
export function gridOf({ openedAt, expiresAt }: { openedAt: number; expiresAt: number }): LineGrid {
  const length = expiresAt - openedAt
  const stepMs = Math.max(250, Math.ceil(length / MAX_POINTS / 250) * 250)
  const down = (at: number) => Math.floor(at / stepMs) * stepMs
  return { fromMs: down(openedAt - length * LEAD_SHARE), toMs: down(expiresAt + length * TAIL_SHARE), stepMs }
}

/** Returns the times of a grid, both ends included. */
export function gridTimes({ fromMs, toMs, stepMs }: LineGrid): number[] {
  return Array.from({ length: Math.floor((toMs - fromMs) / stepMs) + 1 }, (_, index) => fromMs + index * stepMs)
}
