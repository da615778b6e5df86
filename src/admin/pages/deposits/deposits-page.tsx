import { useNavigate, useParams } from 'react-router'
import type { DepositRow } from '#contract/admin/deposits.ts'
import { staffCalls } from '#contract/admin/staff-calls.ts'
import { cx } from '#ui/cx.ts'
import { Avatar } from '#ui/symbol-mark.tsx'
import { age, amount, isOverdue, money } from '#admin/format.ts'
import type { Column } from '#admin/list/data-table.tsx'
import { ListPage } from '#admin/list/list-page.tsx'
import { useFilters } from '#admin/list/use-filters.ts'
import { DepositDetail } from '#admin/pages/deposits/deposit-detail.tsx'
import { DepositState } from '#admin/pages/deposits/deposit-state.tsx'
import { t } from '#admin/t.ts'

const ALL = 'all'
const TABS = ['waiting', 'credited', 'rejected', ALL] as const

/** The queue of deposits, those that wait the longest first. */
export function DepositsPage() {
  const { trx } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['state', 'search'])
  const tab = TABS.find((one) => one === filters.state) ?? 'waiting'
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={t('nav.deposits')}
      call={staffCalls.adminDeposits}
      filters={{ state: tab === ALL ? '' : tab, search: filters.search }}
      columns={COLUMNS}
      keyOf={(row) => row.trx}
      onOpen={(row) => goTo(`/deposits/${row.trx}`)}
      openKey={trx}
      search={{
        placeholder: t('deposits.search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      tabs={{
        id: 'deposits',
        label: t('deposits.tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`deposits.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('state', value),
      }}
      empty={t(tab === 'waiting' ? 'deposits.none_waiting' : 'deposits.none')}
      detail={trx !== undefined && <DepositDetail key={trx} trx={trx} onClose={() => goTo('/deposits')} />}
    />
  )
}

const COLUMNS: readonly Column<DepositRow>[] = [
  {
    id: 'user',
    head: t('common.user'),
    cell: ({ username, trx }) => (
      <span className="flex items-center gap-3">
        <Avatar name={username} size={32} />
        <span className="min-w-0">
          <span className="block truncate font-list">{username}</span>
          <span className="mono block text-fg-3">{trx}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'credited',
    head: t('deposits.credits'),
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
  { id: 'gateway', head: t('deposits.gateway'), from: 'md', cell: ({ gateway }) => gateway },
  {
    id: 'age',
    head: t('deposits.waiting'),
    from: 'md',
    cell: ({ created_at: created, decided_at: decided, state }) => (
      <span className={cx('num', state === 'waiting' && isOverdue(created) && 'font-semibold text-warn')}>
        {age(created, decided === null ? undefined : Date.parse(decided))}
      </span>
    ),
  },
  { id: 'state', head: t('common.state'), cell: (row) => <DepositState row={row} /> },
]
