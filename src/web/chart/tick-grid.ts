import { MAX_RECENT_SECONDS } from '#core/markets/recent-ticks.ts'
import type { LineGrid } from '#web/chart/line-grid.ts'

const STEP_MS = 1_000
export const TICK_SPAN_MS = MAX_RECENT_SECONDS * 1_000
/** Room on the right: 1 minute, and up to 6 minutes for the expiry of an order. */
const [ROOM_MS, MAX_ROOM_MS] = [60_000, 360_000]
/** 15 s behind an expiry, so that its line is not at the edge. */
const BEHIND_EXPIRY_MS = 15_000

/** Returns the axis of a chart of ticks: the last 15 minutes, and room for expiries that are near. */
export function tickGrid(now: number, orders: readonly { readonly expiresAt: number }[]): LineGrid {
  const rooms = orders.map(({ expiresAt }) => expiresAt - now + BEHIND_EXPIRY_MS).filter((ms) => ms <= MAX_ROOM_MS)
  const down = (at: number) => Math.floor(at / STEP_MS) * STEP_MS
  return { fromMs: down(now - TICK_SPAN_MS), toMs: down(now + Math.max(ROOM_MS, ...rooms)), stepMs: STEP_MS }
}
