import type { SplitOut } from '#contract/markets.ts'
import { firstAtOrAfter } from '#web/chart/session-seams.ts'

/** The bars that are the first on the basis of a split, by index, with that split: the bar before shows other prices. */
export function splitBars(
  times: readonly number[],
  stepMs: number,
  splits: readonly SplitOut[],
): Map<number, SplitOut> {
  const found = new Map<number, SplitOut>()
  for (const split of splits) {
    // The first bar that ends after the split took effect; one that is whole before it has nothing of it.
    const index = firstAtOrAfter(times, split.applies_at - stepMs + 1, 0)
    if (index > 0 && index < times.length) found.set(index, split)
  }
  return found
}
