import { useEffect } from 'react'
import type { LimitsOut } from '#contract/limits.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { onBalanceChange } from '#web/session/balance-changes.ts'
import { onSessionChange } from '#web/session/session.ts'

/**
 * The user's own limits and their use. If a limit depends on the balance, they are loaded again after each change of
 * the balance.
 */
export function useOwnLimits() {
  const query = useCallQuery('GET /user/limits', {})
  const { refetch, data } = query
  const hasWindows = data !== undefined && hasWindow(data.data)
  useEffect(() => onBalanceChange(() => void refetch()), [refetch])
  // The session has the balance, which each order and result changes.
  useEffect(() => (hasWindows ? onSessionChange(() => void refetch()) : undefined), [refetch, hasWindows])
  return query
}

function hasWindow({ loss, staked }: LimitsOut): boolean {
  return [...Object.values(loss), ...Object.values(staked)].some((window) => window !== null)
}
