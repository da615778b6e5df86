import type { ApprovalLimits } from '#server/audit/check-dual-approval.ts'
import type { Settings } from '#server/settings/site-settings.ts'

/** Returns the amounts that one staff member may approve alone, from the settings of the site. */
export function approvalLimits({ current }: Pick<Settings, 'current'>, mode: 'demo' | 'live'): ApprovalLimits {
  const { twoPeopleAbove, onePersonDaily } = current
  return { mode, twoPeopleAbove, onePersonDaily }
}
