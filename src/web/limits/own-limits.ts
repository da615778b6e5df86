import { useEffect } from 'react'
import type { LimitsOut } from '#contract/limits.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { onBalanceChange } from '#web/session/balance-changes.ts'
import { onSessionChange } from '#web/session/session.ts'

/**
 * Returns the user's own limits and their use, loaded again when the server reports a balance change. If the user has
 * loss or stake limits, they are also loaded after each order and result.
 */
export function useOwnLimits() {
  const query = useCallQuery('GET /user/limits', {})
  const { refetch, data } = query
  const hasWindows = data !== undefined && hasWindow(data.data)
  useEffect(() => onBalanceChange(() => void refetch()), [refetch])
  // Each order and result changes the balance, which is part of the session.
  useEffect(() => (hasWindows ? onSessionChange(() => void refetch()) : undefined), [refetch, hasWindows])
  return query
}

function hasWindow({ loss, staked }: LimitsOut): boolean {
  return [...Object.values(loss), ...Object.values(staked)].some((window) => window !== null)
}
