import type { Audit } from './audit.ts'

/** Milliseconds: what we claim, and what may not be missed. */
export interface Gate {
  readonly goal: number
  readonly gate: number
}

/** Says what the auditor found; true when all is well. */
export function reportAudit({ acknowledged, lost, doubled, voided, wrong }: Audit): boolean {
  console.log(`acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, void for want of prices ${voided}`)
  for (const one of wrong) console.log(`WRONG: ${one}`)
  if (wrong.length === 0) console.log('Every order, result, transfer, balance, price and receipt is as it should be.')
  return wrong.length === 0 && acknowledged > 0
}

/** Says the median and the longest of each; true when none missed its gate. */
export function reportTimes(
  times: Readonly<Record<string, readonly number[]>>,
  gates: Readonly<Record<string, Gate>>,
): boolean {
  let isInTime = true
  for (const [what, all] of Object.entries(times)) {
    const sorted = all.toSorted((a, b) => a - b)
    const longest = sorted.at(-1) ?? 0
    const limits = gates[what]
    const aims = limits === undefined ? '' : ` (goal ${seconds(limits.goal)}, gate ${seconds(limits.gate)})`
    console.log(
      `${what}: median ${seconds(sorted[Math.floor(sorted.length / 2)] ?? 0)}, longest ${seconds(longest)}${aims}`,
    )
    if (limits !== undefined && longest > limits.gate) isInTime = false
  }
  return isInTime
}

export function figures(took: Readonly<Record<string, number>>): string {
  return Object.entries(took)
    .map(([what, ms]) => `${what} ${seconds(ms)}`)
    .join(', ')
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}

/** `--rounds N`, or how many there are without it. */
export function roundsOr(count: number): number {
  return numberFor('--rounds', count)
}

/** What follows an option of the command, or what it is without it. */
export function numberFor(option: string, usual: number): number {
  const at = process.argv.indexOf(option)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
