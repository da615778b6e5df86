import type { SplitOut } from '#contract/markets.ts'
import { firstAtOrAfter } from '#web/chart/session-breaks.ts'

/** Returns the first bar after each split, by index. The bar before it has prices on another basis. */
export function splitBars(
  times: readonly number[],
  stepMs: number,
  splits: readonly SplitOut[],
): Map<number, SplitOut> {
  const found = new Map<number, SplitOut>()
  for (const split of splits) {
    // The first bar that ends after the split takes effect. A bar that ends earlier is not affected.
    const index = firstAtOrAfter(times, split.applies_at - stepMs + 1, 0)
    if (index > 0 && index < times.length) found.set(index, split)
  }
  return found
}
