import type { WriteTrouble } from '#server/platform/database/database-health.ts'

const WRITE_FAULTS = {
  full: 'database_full',
  read_only: 'database_read_only',
  broken: 'database_broken',
  no_files: 'files_used_up',
} as const satisfies Readonly<Record<Exclude<WriteTrouble, 'refused'>, string>>

/** Every fault of the database, in the order in which they are logged. */
export const DATABASE_FAULTS = [
  ...Object.values(WRITE_FAULTS),
  'database_silent',
  'database_refuses',
  'database_crowded',
] as const
export type DatabaseFault = (typeof DATABASE_FAULTS)[number]

export interface DatabaseFacts {
  /** Whether the last probe write failed, and the reason if it is known. */
  readonly hasFailed: boolean
  readonly failedBecause: WriteTrouble | null
  /** Why another statement or connection failed recently. */
  readonly reportedTrouble: WriteTrouble | null
  /** Whether a probe write or vital connections have given no reply for too long. */
  readonly isSilent: boolean
}

/** The fault that the facts show; null when the database is healthy. */
export function databaseFaultOf(facts: DatabaseFacts): DatabaseFault | null {
  const { hasFailed, failedBecause, reportedTrouble, isSilent } = facts
  const trouble = failedBecause ?? reportedTrouble
  if (trouble !== null && trouble !== 'refused') return WRITE_FAULTS[trouble]
  // After a probe write failed for another reason, an earlier refusal explains nothing.
  const isRefused = failedBecause === 'refused' || (!hasFailed && reportedTrouble === 'refused')
  if (hasFailed || isSilent) return isRefused ? 'database_refuses' : 'database_silent'
  return isRefused ? 'database_crowded' : null
}

/** Returns whether the database is out of reach: it gives no reply, or refuses the connections of this server. */
export function isOutOfReach(fault: DatabaseFault | null): boolean {
  return fault === 'database_silent' || fault === 'database_refuses'
}
