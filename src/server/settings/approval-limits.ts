import type { ApprovalLimits } from '#server/audit/check-dual-approval.ts'
import type { Settings } from '#server/settings/site-settings.ts'

/** Returns how much one person may approve alone, by the settings of the site. */
export function approvalLimits({ current }: Pick<Settings, 'current'>, mode: 'demo' | 'live'): ApprovalLimits {
  const { twoPeopleAbove, onePersonDaily } = current
  return { mode, twoPeopleAbove, onePersonDaily }
}
