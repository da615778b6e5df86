import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { TransferRow } from '#contract/back-office/users.ts'
import { amount, money, time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { PartList } from '#back-office/list/part-list.tsx'
import { movement, transferName } from '#back-office/i18n/plain-words.ts'
import { t } from '#back-office/i18n/t.ts'

/** All transfers of a user's accounts. */
export function UserStatement({ userId }: { userId: string }) {
  return (
    <PartList
      title={t('users.tab_statement')}
      call={staffCalls.staffUserTransfers}
      params={{ id: userId }}
      columns={COLUMNS}
      keyOf={({ ref, step }) => `${ref} ${step}`}
      empty={t('users.statement_none')}
    />
  )
}

const COLUMNS: readonly Column<TransferRow>[] = [
  { id: 'time', head: t('users.time'), cell: (row) => <span className="num text-fg-2">{time(row.time)}</span> },
  {
    id: 'kind',
    head: t('users.kind'),
    cell: ({ kind }) => <span className="font-list">{transferName(kind)}</span>,
  },
  { id: 'moved', head: t('users.moved'), from: 'md', cell: ({ from, to }) => movement(from, to) },
  {
    id: 'amount',
    head: t('users.amount'),
    end: true,
    from: 'md',
    cell: (row) => (
      <span className="num text-fg-2">
        {amount(row.amount)} {row.currency}
      </span>
    ),
  },
  {
    id: 'cash',
    head: t('users.cash_change'),
    end: true,
    cell: ({ cash }) => (
      <span className="num font-list">{cash === 0 ? '–' : `${cash > 0 ? '+' : ''}${money(cash)}`}</span>
    ),
  },
  {
    id: 'ref',
    head: t('users.ref'),
    from: 'xl',
    cell: ({ ref }) => <span className="mono text-fg-3">{ref}</span>,
  },
]
