import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { OutcomePill, Pill } from '#ui/pill.tsx'
import { time } from '#back-office/i18n/format.ts'
import { WaitingState } from '#back-office/queues/waiting-state.tsx'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = {
  paid: 'success',
  failed: 'rejected',
  returned: 'rejected',
  rejected: 'rejected',
  cancelled: 'cancelled',
} as const

/** The state of a withdrawal, and the staff who must decide about it or are paying it. */
export function WithdrawalState({ row, long = false }: { row: WithdrawalRow; long?: boolean }) {
  const { state, paying_by: payer, paying_since: since } = row
  switch (state) {
    case 'requested':
      return <WaitingState row={row} waiting={t('withdrawals.waiting')} long={long} />
    case 'approved':
      return <Pill tone="brand">{t('withdrawals.to_pay')}</Pill>
    case 'paying':
      return (
        <span className={row.is_overdue ? 'font-semibold text-danger' : undefined}>
          {t('withdrawals.being_paid_by', { who: payer ?? '', time: since === null ? '' : time(since) })}
        </span>
      )
    case 'failed':
    case 'returned':
      return <OutcomePill outcome={OUTCOME[state]}>{t(`withdrawals.state_${state}`)}</OutcomePill>
    default:
      return <OutcomePill outcome={OUTCOME[state]}>{t(`withdrawals.${state}`)}</OutcomePill>
  }
}
