import type { Parts } from '../simulation/injection-points.ts'

export interface Mutant {
  /** A description of the bug in one sentence. */
  readonly bug: string
  /** The rule of the lives that look for the bug. By default rule 1. */
  readonly rule?: 2
  readonly parts: () => Partial<Parts>
}
