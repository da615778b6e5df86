import type { Bar } from '#web/chart/bar.ts'

/**
 * The stretch of a symbol's candles that a chart holds. It moves along as the user scrolls: what is far out of sight is
 * let go, so that years can be looked through in the memory of some weeks.
 */
export interface BarWindow {
  /** Ascending. */
  readonly bars: readonly Bar[]
  /** The newest there is is among them. */
  readonly hasNewest: boolean
  /** The oldest there is is among them. */
  readonly hasOldest: boolean
}

export const EMPTY: BarWindow = { bars: [], hasNewest: false, hasOldest: false }

/** Several times what fits on the widest screen. */
export const MOST_BARS = 12_000

/** Puts a page in front. An empty one says that there is nothing before. */
export function withOlder(window: BarWindow, page: readonly Bar[], most = MOST_BARS): BarWindow {
  const first = window.bars[0]?.time ?? Infinity
  const older = page.filter((bar) => bar.time < first)
  if (older.length === 0) return { ...window, hasOldest: true }
  const bars = [...older, ...window.bars]
  if (bars.length <= most) return { ...window, bars }
  return { ...window, bars: bars.slice(0, most), hasNewest: false }
}

/** Puts a page behind; `isNewest` says that nothing comes after it. */
export function withNewer(
  window: BarWindow,
  { page, isNewest }: { page: readonly Bar[]; isNewest: boolean },
  most = MOST_BARS,
): BarWindow {
  const bars = merged(window.bars, page)
  if (bars.length <= most) return { ...window, bars, hasNewest: isNewest }
  return { bars: bars.slice(-most), hasNewest: isNewest, hasOldest: false }
}

/** A live candle: the open one, the next, or the very first. Older ones change nothing: closed candles never change. */
export function withLive(window: BarWindow, bar: Bar): BarWindow {
  const newest = window.bars.at(-1)
  if (!window.hasNewest || (newest !== undefined && bar.time < newest.time)) return window
  const kept = bar.time === newest?.time ? window.bars.slice(0, -1) : window.bars
  return { ...window, bars: [...kept, bar] }
}

/** Two lists as one ascending list; where both have a time, `newer` counts. */
export function merged(older: readonly Bar[], newer: readonly Bar[]): readonly Bar[] {
  if (older.length === 0) return newer
  const byTime = new Map([...older, ...newer].map((bar) => [bar.time, bar]))
  return [...byTime.values()].toSorted((a, b) => a.time - b.time)
}
