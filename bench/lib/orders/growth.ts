/** The start, while caches fill, tells nothing of what will be. */
const WARM_UP = 0.2

/** By how much, as a share, values that were taken at a steady pace have grown: by the straight line that fits them best. */
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
