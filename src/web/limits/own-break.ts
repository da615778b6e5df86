import type { BreakOut } from '#contract/profile.ts'
import { useSession } from '#web/session/session.ts'
import { serverNowMs } from '#web/site/settings.ts'

/** The break that the user chose, until it ends. Null without one. */
export function useOwnBreak(): BreakOut {
  const own = useSession()?.user.break ?? null
  return own !== null && own.kind === 'time_out' && Date.parse(own.until) <= serverNowMs() ? null : own
}
