import { useNavigate } from 'react-router'
import type { DepositRow } from '#contract/admin/deposits.ts'
import { staffCalls } from '#contract/admin/staff-calls.ts'
import { amount, money, time } from '#admin/format.ts'
import type { Column } from '#admin/list/data-table.tsx'
import { PartList } from '#admin/list/part-list.tsx'
import { DepositState } from '#admin/pages/deposits/deposit-state.tsx'
import { t } from '#admin/t.ts'

/** What somebody paid in; a press leads to the queue, where it is decided. */
export function UserPayments({ username }: { username: string }) {
  const navigate = useNavigate()
  return (
    <PartList
      title={t('users.tab_payments')}
      call={staffCalls.adminDeposits}
      filters={{ search: username }}
      columns={COLUMNS}
      keyOf={({ trx }) => trx}
      onOpen={({ trx, state }) => void navigate(`/deposits/${trx}?state=${state}&search=${username}`)}
      empty={t('users.payments_none')}
    />
  )
}

const COLUMNS: readonly Column<DepositRow>[] = [
  {
    id: 'trx',
    head: t('users.ref'),
    cell: ({ trx, gateway }) => (
      <span>
        <span className="mono block">{trx}</span>
        <span className="block text-caption text-fg-3">{gateway}</span>
      </span>
    ),
  },
  {
    id: 'credited',
    head: t('users.amount'),
    end: true,
    cell: ({ credited, total, currency }) => (
      <span className="num">
        <span className="block font-list">{money(credited)}</span>
        <span className="block text-caption text-fg-3">
          {amount(total)} {currency}
        </span>
      </span>
    ),
  },
  {
    id: 'time',
    head: t('users.time'),
    from: 'md',
    cell: ({ created_at: at }) => <span className="num text-fg-2">{time(at)}</span>,
  },
  { id: 'state', head: t('common.state'), cell: (row) => <DepositState row={row} /> },
]
