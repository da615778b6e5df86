/** A part of a bar, in the plot's own unit: from the lower to the upper edge. */
export interface Part {
  readonly series: string
  readonly from: number
  readonly to: number
}

/** The values of one bar on top of each other; what is below zero hangs from zero downwards. */
export function stack(values: Readonly<Record<string, number>>, order: readonly string[]): Part[] {
  let above = 0
  let below = 0
  return order.flatMap((series): Part[] => {
    const value = values[series] ?? 0
    if (value === 0) return []
    const from = value > 0 ? above : below + value
    const to = from + Math.abs(value)
    if (value > 0) above = to
    else below = from
    return [{ series, from, to }]
  })
}
