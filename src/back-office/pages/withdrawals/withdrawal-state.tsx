import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { WaitingState } from '#back-office/queues/waiting-state.tsx'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = { paid: 'success', rejected: 'rejected', cancelled: 'cancelled' } as const

/** The state of a withdrawal, and who has to decide it. */
export function WithdrawalState({ row, long = false }: { row: WithdrawalRow; long?: boolean }) {
  const { state } = row
  if (state === 'waiting') return <WaitingState row={row} waiting={t('withdrawals.waiting')} long={long} />
  return <OutcomePill outcome={OUTCOME[state]}>{t(`withdrawals.${state}`)}</OutcomePill>
}
