import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { DepositRow } from '#contract/back-office/deposits.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { Segmented } from '#ui/segmented.tsx'
import { amount, money, time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { PartList } from '#back-office/list/part-list.tsx'
import { DepositState } from '#back-office/pages/deposits/deposit-state.tsx'
import { WithdrawalState } from '#back-office/pages/withdrawals/withdrawal-state.tsx'
import { t } from '#back-office/i18n/t.ts'

const KINDS = ['deposits', 'withdrawals'] as const

/** The deposits and withdrawals of a user. A press opens the queue in which the payment is decided. */
export function UserPayments({ username }: { username: string }) {
  const navigate = useNavigate()
  const [kind, setKind] = useState<(typeof KINDS)[number]>('deposits')
  const filters = { search: username }
  const goTo = (trx: string) => void navigate(`/${kind}/${trx}?state=all&search=${username}`)
  const choice = (
    <Segmented
      label={t('users.payments_which')}
      options={KINDS.map((value) => ({ value, label: t(`nav.${value}`) }))}
      value={kind}
      onChange={setKind}
      compact
      className="w-60"
    />
  )
  return kind === 'deposits' ? (
    <PartList
      title={t('nav.deposits')}
      call={staffCalls.staffDeposits}
      filters={filters}
      columns={DEPOSITS}
      keyOf={({ trx }) => trx}
      onOpen={({ trx }) => goTo(trx)}
      empty={t('users.deposits_none')}
    >
      {choice}
    </PartList>
  ) : (
    <PartList
      title={t('nav.withdrawals')}
      call={staffCalls.staffWithdrawals}
      filters={filters}
      columns={WITHDRAWALS}
      keyOf={({ trx }) => trx}
      onOpen={({ trx }) => goTo(trx)}
      empty={t('users.withdrawals_none')}
    >
      {choice}
    </PartList>
  )
}

const DEPOSITS: readonly Column<DepositRow>[] = [
  { id: 'trx', head: t('users.ref'), cell: ({ trx, gateway }) => <TwoLines first={trx} second={gateway} isCode /> },
  {
    id: 'amount',
    head: t('users.amount'),
    end: true,
    cell: ({ credited, total, currency }) => (
      <TwoLines first={money(credited)} second={`${amount(total)} ${currency}`} />
    ),
  },
  { id: 'time', head: t('users.time'), from: 'md', cell: (row) => <Time at={row.created_at} /> },
  { id: 'state', head: t('common.state'), cell: (row) => <DepositState row={row} /> },
]

const WITHDRAWALS: readonly Column<WithdrawalRow>[] = [
  { id: 'trx', head: t('users.ref'), cell: ({ trx, method }) => <TwoLines first={trx} second={method} isCode /> },
  {
    id: 'amount',
    head: t('users.amount'),
    end: true,
    cell: (row) => <TwoLines first={money(row.amount)} second={`${amount(row.paid_out)} ${row.currency}`} />,
  },
  { id: 'time', head: t('users.time'), from: 'md', cell: (row) => <Time at={row.created_at} /> },
  { id: 'state', head: t('common.state'), cell: (row) => <WithdrawalState row={row} /> },
]

function TwoLines({ first, second, isCode = false }: { first: string; second: string; isCode?: boolean }) {
  return (
    <span className="num">
      <span className={isCode ? 'mono block' : 'block font-list'}>{first}</span>
      <span className="block text-caption text-fg-3">{second}</span>
    </span>
  )
}

function Time({ at }: { at: string }) {
  return <span className="num text-fg-2">{time(at)}</span>
}
