/**
 * Returns a random whole number below `count`. The test setup fixes the seed of `Math.random`, and `npm run fuzz` sets
 * other seeds.
 */
export function below(count: number): number {
  return Math.floor(Math.random() * count)
}

export function between(least: number, greatest: number): number {
  return least + below(greatest - least + 1)
}

export function oneOf<T>(list: readonly T[]): T {
  const chosen = list[below(list.length)]
  if (chosen === undefined) throw new Error('there is something to choose from')
  return chosen
}

export function isLikely(percent: number): boolean {
  return below(100) < percent
}
