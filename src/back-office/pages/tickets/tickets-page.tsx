import { useNavigate, useParams } from 'react-router'
import type { StaffTicketRow } from '#contract/back-office/tickets.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { cx } from '#ui/cx.ts'
import { age, time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { TicketDetail } from '#back-office/pages/tickets/ticket-detail.tsx'
import { TicketState } from '#back-office/pages/tickets/ticket-state.tsx'
import { TwoLines } from '#back-office/queues/queue-cells.tsx'

const TABS = ['mine', 'nobody', 'overdue', 'all'] as const

/** Tickets of users: the staff member's own, those without an owner, those that are overdue, and all. */
export function TicketsPage() {
  const { no } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['which', 'search'])
  const tab = TABS.find((one) => one === filters.which) ?? 'nobody'
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={t('nav.tickets')}
      call={staffCalls.staffTickets}
      filters={{ which: tab, search: filters.search }}
      columns={COLUMNS}
      keyOf={(row) => row.no}
      onOpen={(row) => goTo(`/tickets/${row.no}`)}
      openKey={no}
      search={{
        placeholder: t('tickets.search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      empty={t(tab === 'all' ? 'tickets.none' : 'tickets.none_waiting')}
      detail={no !== undefined && <TicketDetail key={no} no={no} onClose={() => goTo('/tickets')} />}
      tabs={{
        id: 'tickets',
        label: t('tickets.tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`tickets.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('which', value),
      }}
    />
  )
}

const COLUMNS: readonly Column<StaffTicketRow>[] = [
  {
    id: 'user',
    head: t('common.user'),
    cell: ({ username, no }) => <TwoLines first={username} second={<span className="mono">{no}</span>} />,
  },
  {
    id: 'about',
    head: t('tickets.about'),
    from: 'md',
    cell: ({ about_kind: kind, topic }) => (
      <TwoLines first={t(`tickets.about_${kind}`)} second={t(`tickets.topic_${topic}`)} />
    ),
  },
  { id: 'owner', head: t('tickets.owner'), from: 'md', cell: ({ owner }) => owner ?? t('tickets.no_owner') },
  {
    id: 'due',
    head: t('tickets.due'),
    from: 'xl',
    cell: ({ due_at: due, is_overdue: isOverdue }) => (
      <span className={cx('num whitespace-nowrap', isOverdue && 'font-semibold text-warn')}>
        {due === null ? '–' : time(due)}
      </span>
    ),
  },
  {
    id: 'last',
    head: t('tickets.last'),
    from: 'md',
    cell: ({ last_at: last }) => <span className="num">{age(last)}</span>,
  },
  { id: 'state', head: t('tickets.state'), cell: ({ state }) => <TicketState state={state} /> },
]
