import type { Ctx } from '#server/platform/context/context.ts'

/** What a check of the books works with. */
export type CheckParts = Pick<Ctx, 'db' | 'now' | 'log'> & {
  /** Told which session of the database is at it, and null once none is. What it throws ends the check. */
  readonly onSession?: (pid: number | null) => void
}
