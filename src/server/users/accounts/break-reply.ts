import type { BreakOut } from '#contract/profile.ts'
import { COOLING_MS } from '#core/accounts/self-limits.ts'
import { later, toIso } from '#core/time/instant.ts'
import type { StoredBreak } from '#server/ledger/breaks.queries.ts'

/** Converts a user's break to the reply for this user. */
export function toBreakReply(own: StoredBreak | null): BreakOut {
  return (
    own && {
      kind: own.kind,
      from: toIso(own.from),
      until: toIso(own.until),
      state: own.requestedAt !== null ? 'returning' : own.isOver ? 'over' : 'on',
      words: own.words,
      ready_at: own.requestedAt === null ? null : toIso(later(own.requestedAt, COOLING_MS)),
    }
  )
}
