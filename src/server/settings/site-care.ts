import type { Settings } from '#server/settings/site-settings.ts'

/** Rules of the site for every user, in addition to the user's own choices. */
export interface SiteCare {
  /** Whether no user can cancel a pending withdrawal. */
  readonly isLockFixed: boolean
  /** Whether users must decide about a limit of their own before their first deposit. */
  readonly asksForLimit: boolean
  /** Years for which identity and payments of erased accounts are kept. Zero in a demo. */
  readonly recordYears: number
}

/** In live mode withdrawals are final unless the operator allows cancelling them. A demo sets none of these rules. */
export function siteCare({ current }: Pick<Settings, 'current'>, mode: 'demo' | 'live'): SiteCare {
  return {
    isLockFixed: mode === 'live' && !current.withdrawalCancel,
    asksForLimit: mode === 'live' && current.limitPrompt,
    recordYears: mode === 'live' ? current.recordYears : 0,
  }
}
