import type { Parts } from '../simulation/injection-points.ts'

export interface Mutant {
  /** A description of the bug in one sentence. */
  readonly bug: string
  /** The rule of the simulations that search for the bug. By default rule 1. */
  readonly rule?: 2
  /** Simulations with sellers search for the bug. */
  readonly isOfSales?: true
  /** Simulations with caps search for the bug. */
  readonly isCapped?: true
  readonly parts: () => Partial<Parts>
}
