import type { Parts } from '../simulation/injection-points.ts'

export interface Mutant {
  /** A description of the bug in one sentence. */
  readonly bug: string
  /** The rule of the lives that look for the bug. By default rule 1. */
  readonly rule?: 2
  /** Lives with sellers look for the bug. */
  readonly isOfSales?: true
  readonly parts: () => Partial<Parts>
}
