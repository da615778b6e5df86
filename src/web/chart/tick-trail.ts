import { latestTick, onTick } from '#web/live/live-store.ts'
import type { TickPoint } from '#web/chart/tick-line.ts'

const KEPT_MS = 15 * 60_000
const MOST = 6_000

const trails = new Map<string, TickPoint[]>()

/** The prices of a symbol seen since it was first followed, oldest first. */
export function trailOf(code: string): readonly TickPoint[] {
  return trails.get(code) ?? []
}

/** Keeps the prices of a symbol that come by, so that an order's line can begin before its entry. Answers how to stop. */
export function keepTrail(code: string): () => void {
  const trail = trails.get(code) ?? []
  trails.set(code, trail)
  return onTick(code, () => {
    const tick = latestTick(code)
    if (tick === null || tick.past || tick.time === trail.at(-1)?.time) return
    trail.push({ time: tick.time, price: tick.price })
    const from = tick.time - KEPT_MS
    if (trail.length > MOST || (trail[0]?.time ?? 0) < from - 60_000) {
      trail.splice(0, trail.length, ...trail.filter(({ time }) => time >= from).slice(-MOST / 2))
    }
  })
}
