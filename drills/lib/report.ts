import type { Audit } from './audit.ts'

/** A duration in ms: the promised duration and the hard limit. */
export interface Gate {
  readonly goal: number
  readonly gate: number
}

/** Prints the result of the audit. Returns true when there are no differences. */
export function reportAudit({ acknowledged, lost, doubled, voided, wrong }: Audit): boolean {
  console.log(`acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, void without a price ${voided}`)
  for (const one of wrong) console.log(`WRONG: ${one}`)
  if (wrong.length === 0) console.log('Orders, results, transfers, balances, prices and receipts are correct.')
  return wrong.length === 0 && acknowledged > 0
}

/** Prints median and maximum of each duration. Returns true when no duration exceeded its gate. */
export function reportTimes(
  times: Readonly<Record<string, readonly number[]>>,
  gates: Readonly<Record<string, Gate>>,
): boolean {
  let isInTime = true
  for (const [what, all] of Object.entries(times)) {
    const sorted = all.toSorted((a, b) => a - b)
    const max = sorted.at(-1) ?? 0
    const limits = gates[what]
    const aims = limits === undefined ? '' : ` (goal ${seconds(limits.goal)}, gate ${seconds(limits.gate)})`
    console.log(
      `${what}: median ${seconds(sorted[Math.floor(sorted.length / 2)] ?? 0)}, longest ${seconds(max)}${aims}`,
    )
    if (limits !== undefined && max > limits.gate) isInTime = false
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

/** Returns the value of `--rounds N`, or the default. */
export function roundsOr(count: number): number {
  return numberFor('--rounds', count)
}

/** Returns the number after an option of the command, or the default. */
export function numberFor(option: string, usual: number): number {
  const at = process.argv.indexOf(option)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
