import { type Instant, later } from '#core/time/instant.ts'

/** Splits items into parts that each cover at most `spanMs`. The items must be sorted, the earliest first. */
export function splitByTime<Item>(items: readonly Item[], timeOf: (item: Item) => Instant, spanMs: number): Item[][] {
  const parts: Item[][] = []
  let end: Instant | null = null
  for (const item of items) {
    const part = parts.at(-1)
    if (part !== undefined && end !== null && timeOf(item) <= end) part.push(item)
    else {
      parts.push([item])
      end = later(timeOf(item), spanMs)
    }
  }
  return parts
}
