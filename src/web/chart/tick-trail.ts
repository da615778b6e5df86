import type { Stretch, TickPoint } from '#web/chart/price-course.ts'
import { latestTick, onTick } from '#web/live/live-store.ts'

const MAX_AGE_MS = 15 * 60_000
const MAX_TICKS = 6_000
/**
 * 1 s: between ticks that are further apart, other ticks may have failed to arrive. A slow connection gets only the
 * newest tick, and a sleeping phone gets none. The next request to the server shows whether ticks are missing.
 */
const CONTINUOUS_MS = 1_000

interface Trail {
  stretches: { ticks: TickPoint[] }[]
  /** Whether ticks may have been missed since the last stored tick. */
  isBroken: boolean
}

const trails = new Map<string, Trail>()

/**
 * Returns the prices received for a symbol since `keepTrail` first recorded them, in stretches without missing ticks.
 */
export function trailOf(code: string): readonly Stretch[] {
  return (trails.get(code)?.stretches ?? []).flatMap(({ ticks }) => {
    const [first, last] = [ticks[0], ticks.at(-1)]
    return first && last ? { from: first.time, through: last.time, ticks } : []
  })
}

/** Returns the newest price received for a symbol. */
export function trailEnd(code: string): TickPoint | null {
  return trails.get(code)?.stretches.at(-1)?.ticks.at(-1) ?? null
}

/** Records the live prices of a symbol. Returns a function that stops it. */
export function keepTrail(code: string): () => void {
  const trail = trails.get(code) ?? { stretches: [], isBroken: false }
  trails.set(code, trail)
  trail.isBroken = true
  const stop = onTick(code, () => take(trail, code))
  const hide = () => {
    if (document.hidden) trail.isBroken = true
  }
  document.addEventListener('visibilitychange', hide)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', hide)
  }
}

function take(trail: Trail, code: string): void {
  const tick = latestTick(code)
  // The connection is lost, or the source is silent. Ticks may be missing before the next one.
  if (tick?.stale === true) trail.isBroken = true
  const before = trail.stretches.at(-1)?.ticks
  const last = before?.at(-1)
  if (tick === null || tick.past || (last !== undefined && tick.time <= last.time)) return
  const point = { time: tick.time, price: tick.price }
  if (before === undefined || last === undefined || trail.isBroken || tick.time - last.time > CONTINUOUS_MS)
    trail.stretches.push({ ticks: [point] })
  else before.push(point)
  trail.isBroken = tick.stale
  forget(trail, tick.time - MAX_AGE_MS)
}

/** Drops old ticks, but not on every call. */
function forget(trail: Trail, from: number): void {
  const count = trail.stretches.reduce((sum, { ticks }) => sum + ticks.length, 0)
  const oldest = trail.stretches[0]?.ticks[0]?.time ?? 0
  if (count <= MAX_TICKS && oldest >= from - 60_000) return
  let left = count > MAX_TICKS ? MAX_TICKS / 2 : MAX_TICKS
  const remaining: { ticks: TickPoint[] }[] = []
  for (const { ticks } of trail.stretches.toReversed()) {
    const newest = left === 0 ? [] : ticks.filter(({ time }) => time >= from).slice(-left)
    left -= newest.length
    if (newest.length > 0) remaining.unshift({ ticks: newest })
  }
  trail.stretches = remaining
}
