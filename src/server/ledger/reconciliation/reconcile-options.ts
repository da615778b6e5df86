import type { Ctx } from '#server/platform/context/context.ts'

/** The dependencies of a ledger check. */
export type ReconcileOptions = Pick<Ctx, 'db' | 'now' | 'log'> & {
  /**
   * Called with the database session that runs the check, and with null afterwards. An error it throws ends the check.
   */
  readonly onSession?: (pid: number | null) => void
}
