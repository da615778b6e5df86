import type { DepositRow } from '#contract/back-office/deposits.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { amount, money } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { DepositDetail } from '#back-office/pages/deposits/deposit-detail.tsx'
import { DepositState } from '#back-office/pages/deposits/deposit-state.tsx'
import { DeciderCell } from '#back-office/queues/decided-by.tsx'
import { AgeCell, PersonCell, TwoLines } from '#back-office/queues/queue-cells.tsx'
import { QueuePage } from '#back-office/queues/queue-page.tsx'
import { t } from '#back-office/i18n/t.ts'

const TABS = ['waiting', 'second_person', 'credited', 'rejected', 'expired', 'all'] as const

/** The queue of deposits, longest waiting first. */
export function DepositsPage() {
  return (
    <QueuePage
      href="/deposits"
      title={t('nav.deposits')}
      call={staffCalls.staffDeposits}
      figures={{ call: staffCalls.staffDepositFigures, sum: t('deposits.sum'), median: t('deposits.median') }}
      tabsLabel={t('deposits.tabs')}
      tabs={TABS.map((value) => ({ value, label: t(`deposits.${value}`) }))}
      columns={COLUMNS}
      keyOf={(row) => row.trx}
      empty={{ waiting: t('deposits.none_waiting'), other: t('deposits.none') }}
      Detail={DepositDetail}
    />
  )
}

const COLUMNS: readonly Column<DepositRow>[] = [
  { id: 'user', head: t('common.user'), cell: (row) => <PersonCell {...row} /> },
  {
    id: 'credited',
    head: t('deposits.credits'),
    end: true,
    cell: ({ credited, total, currency }) => (
      <TwoLines
        first={<span className="num">{money(credited)}</span>}
        second={<span className="num">{`${amount(total)} ${currency}`}</span>}
      />
    ),
  },
  { id: 'gateway', head: t('deposits.gateway'), from: 'md', cell: ({ gateway }) => gateway },
  { id: 'age', head: t('deposits.waiting'), from: 'md', cell: (row) => <AgeCell row={row} /> },
  { id: 'decided', head: t('queue.decided_by'), from: 'xl', cell: (row) => <DeciderCell row={row} /> },
  { id: 'state', head: t('common.state'), cell: (row) => <DepositState row={row} /> },
]
