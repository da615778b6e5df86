const UNITS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const

export type LengthUnit = (typeof UNITS)[number][0]

/** Splits a duration into its non-zero units, largest first: 62 seconds are 1 minute and 2 seconds. */
export function lengthParts(seconds: number): { readonly unit: LengthUnit; readonly count: number }[] {
  const parts: { unit: LengthUnit; count: number }[] = []
  let rest = Math.max(0, Math.round(seconds))
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push({ unit, count })
  }
  return parts.length > 0 ? parts : [{ unit: 'seconds', count: 0 }]
}
