import { useNavigate, useParams } from 'react-router'
import type { CorrectionRow } from '#contract/back-office/corrections.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { cx } from '#ui/cx.ts'
import { Avatar } from '#ui/symbol-mark.tsx'
import { age, isOverdue, money, time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { CorrectionDetail } from '#back-office/pages/corrections/correction-detail.tsx'
import { CorrectionState } from '#back-office/pages/corrections/correction-state.tsx'
import { TwoLines } from '#back-office/queues/queue-cells.tsx'
import { t } from '#back-office/i18n/t.ts'

const ALL = 'all'
const TABS = ['waiting', 'disputed', 'announced', 'posted', 'rejected', 'withdrawn', ALL] as const

/** Adjustments of balances: those that wait for staff, those announced to their users, and those already decided. */
export function CorrectionsPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['state', 'search'])
  const tab = TABS.find((one) => one === filters.state) ?? 'waiting'
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={t('nav.corrections')}
      call={staffCalls.staffCorrections}
      filters={{ state: tab === ALL ? '' : tab, search: filters.search }}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => goTo(`/corrections/${row.id}`)}
      openKey={id}
      search={{
        placeholder: t('corrections.search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      empty={t(tab === 'waiting' ? 'corrections.none_waiting' : 'corrections.none')}
      detail={id !== undefined && <CorrectionDetail key={id} id={id} onClose={() => goTo('/corrections')} />}
      tabs={{
        id: 'corrections',
        label: t('corrections.tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`corrections.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('state', value),
      }}
    />
  )
}

const COLUMNS: readonly Column<CorrectionRow>[] = [
  {
    id: 'user',
    head: t('common.user'),
    cell: ({ username, reason }) => (
      <span className="flex items-center gap-3">
        <Avatar name={username} size={32} />
        <span className="min-w-0">
          <span className="block truncate font-list">{username}</span>
          <span className="block max-w-60 truncate text-caption text-fg-3">{reason}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'amount',
    head: t('corrections.amount'),
    end: true,
    cell: ({ amount }) => <span className="num font-list">{`${amount > 0 ? '+' : ''}${money(amount)}`}</span>,
  },
  { id: 'by', head: t('corrections.asked_by'), from: 'md', cell: ({ asked_by: by }) => by },
  {
    id: 'age',
    head: t('corrections.age'),
    from: 'md',
    cell: ({ asked_at: requestedAt, decided_at: decided, state }) => (
      <span className={cx('num', state === 'waiting' && isOverdue(requestedAt) && 'font-semibold text-warn')}>
        {age(requestedAt, decided === null ? undefined : Date.parse(decided))}
      </span>
    ),
  },
  {
    id: 'decided',
    head: t('corrections.decided_by'),
    from: 'xl',
    cell: ({ decided_by: by, decided_at: at }) =>
      by === null || at === null ? '–' : <TwoLines first={by} second={<span className="num">{time(at)}</span>} />,
  },
  { id: 'state', head: t('common.state'), cell: (row) => <CorrectionState row={row} /> },
]
