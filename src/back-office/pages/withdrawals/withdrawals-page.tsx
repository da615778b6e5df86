import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { money, payment } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { RiskFlags } from '#back-office/pages/withdrawals/risk-flags.tsx'
import { WithdrawalDetail } from '#back-office/pages/withdrawals/withdrawal-detail.tsx'
import { WithdrawalState } from '#back-office/pages/withdrawals/withdrawal-state.tsx'
import { DeciderCell } from '#back-office/queues/decided-by.tsx'
import { AgeCell, PersonCell, TwoLines } from '#back-office/queues/queue-cells.tsx'
import { QueuePage } from '#back-office/queues/queue-page.tsx'
import { t } from '#back-office/i18n/t.ts'

const TABS = ['waiting', 'second_person', 'to_pay', 'being_paid', 'paid', 'failed', 'rejected', 'all'] as const

/** The queue of withdrawals to decide and to pay, longest waiting first. */
export function WithdrawalsPage() {
  return (
    <QueuePage
      href="/withdrawals"
      title={t('nav.withdrawals')}
      call={staffCalls.staffWithdrawals}
      figures={{
        call: staffCalls.staffWithdrawalFigures,
        sum: t('withdrawals.sum'),
        median: t('withdrawals.median'),
      }}
      tabsLabel={t('withdrawals.tabs')}
      tabs={TABS.map((value) => ({ value, label: t(`withdrawals.${value}`) }))}
      columns={COLUMNS}
      keyOf={(row) => row.trx}
      queues={['waiting', 'second_person', 'to_pay', 'being_paid']}
      empty={{ waiting: t('withdrawals.none_waiting'), other: t('withdrawals.none') }}
      Detail={WithdrawalDetail}
    />
  )
}

const COLUMNS: readonly Column<WithdrawalRow>[] = [
  { id: 'user', head: t('common.user'), cell: (row) => <PersonCell {...row} /> },
  {
    id: 'amount',
    head: t('withdrawals.amount'),
    end: true,
    cell: ({ amount, paid_out: paidOut, currency }) => (
      <TwoLines
        first={<span className="num">{money(amount)}</span>}
        second={t('withdrawals.pays', { amount: payment(paidOut, currency) })}
      />
    ),
  },
  {
    id: 'method',
    head: t('withdrawals.method'),
    from: 'md',
    cell: ({ method, pay_to: payTo }) => <TwoLines first={method} second={payTo} mono />,
  },
  { id: 'age', head: t('withdrawals.age'), from: 'md', cell: (row) => <AgeCell row={row} /> },
  { id: 'checks', head: t('withdrawals.checks'), from: 'lg', cell: (row) => <RiskFlags row={row} /> },
  { id: 'decided', head: t('queue.decided_by'), from: 'xl', cell: (row) => <DeciderCell row={row} /> },
  { id: 'state', head: t('common.state'), cell: (row) => <WithdrawalState row={row} /> },
]
