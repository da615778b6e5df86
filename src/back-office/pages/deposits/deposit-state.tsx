import type { DepositRow } from '#contract/back-office/deposits.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { WaitingState } from '#back-office/queues/waiting-state.tsx'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = { credited: 'success', rejected: 'rejected', expired: 'cancelled' } as const

/** The state of a deposit, and who has to decide it. */
export function DepositState({ row, long = false }: { row: DepositRow; long?: boolean }) {
  const { state } = row
  if (state === 'waiting' || state === 'seen' || state === 'review') {
    return <WaitingState row={row} waiting={t(`deposits.${state}`)} long={long} />
  }
  return <OutcomePill outcome={OUTCOME[state]}>{t(`deposits.${state}`)}</OutcomePill>
}
