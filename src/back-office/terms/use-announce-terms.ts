import { useRef } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { TermsPart } from '#core/markets/terms/terms-entry.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'

const REFRESH_MS = 15_000

/** Returns the notice period and the announced changes, reloaded every 15 s. */
export function useTermsState() {
  return useStaffQuery(staffCalls.staffTermsState, {}, { everyMs: REFRESH_MS })
}

interface Change {
  readonly what: Exclude<TermsPart, 'cap'>
  readonly of: string
  readonly value: string
  /** Null: the change applies as soon as the notice period allows. */
  readonly applies_at: string | null
}

/**
 * Returns the function that announces a change. The server refuses the change if another one has been announced that
 * the page has not loaded yet.
 */
export function useAnnounceTerms() {
  const state = useTermsState()
  const announce = useStaffChange(staffCalls.staffAnnounceTerms)
  // The number of this staff member's own last announcement. It counts as seen even before the page has loaded again.
  const newest = useRef(0)
  return async (change: Change) => {
    const seen = Math.max(newest.current, state.data?.newest_n ?? 0)
    const { n, applies_at: appliesAt } = await announce.mutateAsync({ body: { ...change, seen_n: seen } })
    newest.current = n
    return appliesAt
  }
}
