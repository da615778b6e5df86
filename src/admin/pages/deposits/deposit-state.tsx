import type { DepositRow } from '#contract/admin/deposits.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { useStaff } from '#admin/shell/staff.ts'
import { t } from '#admin/t.ts'

const OUTCOME = { waiting: 'pending', credited: 'success', rejected: 'rejected' } as const

/** Where a deposit stands, and for whom it waits. */
export function DepositState({ row }: { row: DepositRow }) {
  const { name } = useStaff()
  if (row.state === 'waiting' && row.approved_by !== null) {
    return (
      <OutcomePill outcome="pending">
        {row.approved_by === name ? t('two_people.yours') : t('two_people.second', { name: row.approved_by })}
      </OutcomePill>
    )
  }
  return <OutcomePill outcome={OUTCOME[row.state]}>{t(`deposits.${row.state}`)}</OutcomePill>
}
