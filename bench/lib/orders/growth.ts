/** The first 20 % are ignored, as caches fill in that time. */
const WARM_UP = 0.2

/** Returns the relative growth of values taken at regular intervals, by the best-fitting straight line. */
export function growth(all: readonly number[]): number {
  const values = all.slice(Math.floor(all.length * WARM_UP))
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let [above, below] = [0, 0]
  for (const [at, value] of values.entries()) {
    above += (at - middle) * (value - mean)
    below += (at - middle) ** 2
  }
  const slope = below === 0 ? 0 : above / below
  return (slope * (values.length - 1)) / (mean - slope * middle)
}
