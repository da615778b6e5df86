import type { ApprovalLimits } from '#server/audit/check-dual-approval.ts'
import type { Settings } from '#server/settings/site-settings.ts'

/** How much one person may approve alone, as the site is set. */
export function approvalLimits({ current }: Pick<Settings, 'current'>, mode: 'demo' | 'live'): ApprovalLimits {
  const { twoPeopleAbove, onePersonDaily } = current
  return { mode, twoPeopleAbove, onePersonDaily }
}
