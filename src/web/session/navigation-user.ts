import type { NavigationFacts } from '#core/navigation/where-to.ts'
import type { User } from '#web/session/session.ts'

/** Returns the facts of a user that decide which screens are open. */
export function navigationUser({ ev, has_deposits: hasDeposits, leaving }: User): NonNullable<NavigationFacts['user']> {
  // Sessions stored by an older release do not have the field.
  return { isVerified: ev, hasDeposits, isLeaveOnly: Boolean(leaving) }
}
