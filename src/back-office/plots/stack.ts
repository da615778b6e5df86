/** A part of a bar, from its lower to its upper edge in the unit of the plot. */
export interface Part {
  readonly series: string
  readonly from: number
  readonly to: number
}

/** Stacks the values of one bar: positive values above zero, negative values below. */
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
