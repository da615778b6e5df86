import type { Instant } from '#core/time/instant.ts'

interface Drawable {
  readonly time: Instant
  readonly price: number
}

/**
 * Thins ticks for drawing: keeps the first, lowest, highest and last tick of each `stepMs`. If a step is no wider than
 * a pixel, the line covers the same pixels as a line through all ticks. The function averages and adds nothing.
 */
export function thinTicks<T extends Drawable>(ticks: readonly T[], stepMs: number): T[] {
  const result: T[] = []
  for (let start = 0; start < ticks.length; ) {
    const step = Math.floor((ticks[start]?.time ?? 0) / stepMs)
    let [lowest, highest, end] = [start, start, start]
    for (; end < ticks.length && Math.floor((ticks[end]?.time ?? 0) / stepMs) === step; end += 1) {
      const { price } = ticks[end] ?? { price: 0 }
      if (price < (ticks[lowest]?.price ?? 0)) lowest = end
      if (price > (ticks[highest]?.price ?? 0)) highest = end
    }
    const places = new Set([start, lowest, highest, end - 1])
    result.push(...[...places].toSorted((a, b) => a - b).flatMap((place) => ticks[place] ?? []))
    start = end
  }
  return result
}
