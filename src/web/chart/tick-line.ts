/** One price at one moment, milliseconds UTC. */
export interface TickPoint {
  readonly time: number
  readonly price: number
}

/** How much is shown before the entry, as a share of the order's length, so that the entry can be seen in its course. */
const LEAD_SHARE = 0.22
const TAIL_SHARE = 0.2
const MOST_POINTS = 360
/** Where nothing was seen for longer, nothing is claimed: the line goes straight to the next price seen. */
const LONGEST_STILL_MS = 5_000

export interface LineGrid {
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
}

/** The even grid of times that the order's line is drawn on: the chart spaces points evenly, so the times must be. */
export function gridOf({ openedAt, expiresAt }: { openedAt: number; expiresAt: number }): LineGrid {
  const length = expiresAt - openedAt
  const stepMs = Math.max(250, Math.ceil(length / MOST_POINTS / 250) * 250)
  const down = (at: number) => Math.floor(at / stepMs) * stepMs
  return { fromMs: down(openedAt - length * LEAD_SHARE), toMs: down(expiresAt + length * TAIL_SHARE), stepMs }
}

/** The times of a grid, both ends included. */
export function gridTimes({ fromMs, toMs, stepMs }: LineGrid): number[] {
  return Array.from({ length: Math.floor((toMs - fromMs) / stepMs) + 1 }, (_, index) => fromMs + index * stepMs)
}

/**
 * The price at each time of the grid: the last one up to the end of its step, nothing before the first tick,
 * nothing later than the newest, and nothing long after one. `ticks` in any order.
 */
export function foldOnGrid(grid: LineGrid, ticks: readonly TickPoint[]): (number | null)[] {
  const sorted = ticks.toSorted((a, b) => a.time - b.time)
  const newest = sorted.at(-1)?.time ?? -Infinity
  let next = 0
  let latest: TickPoint | null = null
  const stillMs = Math.max(LONGEST_STILL_MS, 2 * grid.stepMs)
  return gridTimes(grid).map((time) => {
    for (let tick = sorted[next]; tick !== undefined && tick.time < time + grid.stepMs; tick = sorted[++next]) {
      latest = tick
    }
    return latest !== null && time <= newest && time - latest.time <= stillMs ? latest.price : null
  })
}
