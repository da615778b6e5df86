import type { AlertRow } from '#contract/back-office/alerts.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Whether an alert is open, taken or closed. */
export function AlertState({ row: { closed_at: closed, taken_by: by } }: { row: AlertRow }) {
  if (closed !== null) return <OutcomePill outcome="cancelled">{t('staff_alerts.state_closed')}</OutcomePill>
  if (by !== null) return <OutcomePill outcome="pending">{t('staff_alerts.state_taken', { name: by })}</OutcomePill>
  return <OutcomePill outcome="rejected">{t('staff_alerts.state_open')}</OutcomePill>
}
