import type { Bar } from '#web/chart/bar.ts'

/**
 * The candles of a symbol that a chart holds. The window moves as the user scrolls and drops candles far out of sight.
 * Years of candles then need only the memory of some weeks.
 */
export interface BarWindow {
  /** Oldest first. */
  readonly bars: readonly Bar[]
  /** Whether the window includes the newest bar. */
  readonly hasNewest: boolean
  /** Whether the window includes the oldest bar. */
  readonly hasOldest: boolean
}

export const EMPTY: BarWindow = { bars: [], hasNewest: false, hasOldest: false }

/** 12,000 bars: several times the number that fits on the widest screen. */
export const MAX_WINDOW_BARS = 12_000

/** Adds a page before the window. An empty page means that no older bars exist. */
export function withOlder(window: BarWindow, page: readonly Bar[], maxBars = MAX_WINDOW_BARS): BarWindow {
  const first = window.bars[0]?.time ?? Infinity
  const older = page.filter((bar) => bar.time < first)
  if (older.length === 0) return { ...window, hasOldest: true }
  const bars = [...older, ...window.bars]
  if (bars.length <= maxBars) return { ...window, bars }
  return { ...window, bars: bars.slice(0, maxBars), hasNewest: false }
}

/** Adds a page after the window. `isNewest` means that no newer bars exist. */
export function withNewer(
  window: BarWindow,
  { page, isNewest }: { page: readonly Bar[]; isNewest: boolean },
  maxBars = MAX_WINDOW_BARS,
): BarWindow {
  const bars = merged(window.bars, page)
  if (bars.length <= maxBars) return { ...window, bars, hasNewest: isNewest }
  return { bars: bars.slice(-maxBars), hasNewest: isNewest, hasOldest: false }
}

/**
 * Adds a live candle: the open one, the next one, or the very first. Older candles are ignored, because closed candles
 * never change.
 */
export function withLive(window: BarWindow, bar: Bar): BarWindow {
  const newest = window.bars.at(-1)
  if (!window.hasNewest || (newest !== undefined && bar.time < newest.time)) return window
  const earlier = bar.time === newest?.time ? window.bars.slice(0, -1) : window.bars
  return { ...window, bars: [...earlier, bar] }
}

/** Merges two lists into one ascending list. Where both have a bar at the same time, `newer` wins. */
export function merged(older: readonly Bar[], newer: readonly Bar[]): readonly Bar[] {
  if (older.length === 0) return newer
  const byTime = new Map([...older, ...newer].map((bar) => [bar.time, bar]))
  return [...byTime.values()].toSorted((a, b) => a.time - b.time)
}
