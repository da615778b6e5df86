import { useNavigate, useParams } from 'react-router'
import type { ArrivalRow } from '#contract/back-office/arrivals.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ARRIVAL_STATES } from '#core/wallet/deposit-state.ts'
import { shortTime } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { ArrivalDetail } from '#back-office/pages/arrivals/arrival-detail.tsx'
import { ArrivalState } from '#back-office/pages/arrivals/arrival-state.tsx'
import { TwoLines } from '#back-office/queues/queue-cells.tsx'
import { t } from '#back-office/i18n/t.ts'

const ALL = 'all'
const TABS = [...ARRIVAL_STATES, ALL] as const

/** Every arrival of money, also without a deposit. */
export function ArrivalsPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['state'])
  const tab = TABS.find((one) => one === filters.state) ?? ALL
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={t('nav.arrivals')}
      call={staffCalls.staffArrivals}
      filters={{ state: tab === ALL ? '' : tab }}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => goTo(`/arrivals/${row.id}`)}
      openKey={id}
      empty={t('arrivals.none')}
      detail={id !== undefined && <ArrivalDetail key={id} id={id} onClose={() => goTo('/arrivals')} />}
      tabs={{
        id: 'arrivals',
        label: t('arrivals.tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`arrivals.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('state', value),
      }}
    />
  )
}

const COLUMNS: readonly Column<ArrivalRow>[] = [
  {
    id: 'gateway',
    head: t('arrivals.gateway'),
    cell: ({ gateway, seen_at: at, reference }) => (
      <TwoLines first={gateway} second={`${shortTime(at)}, ${reference}`} />
    ),
  },
  {
    id: 'amount',
    head: t('arrivals.amount'),
    end: true,
    cell: ({ amount, currency, username }) => (
      <TwoLines
        first={<span className="num">{`${amount} ${currency}`}</span>}
        second={username ?? t('arrivals.nobody')}
      />
    ),
  },
  { id: 'trx', head: t('arrivals.deposit'), from: 'md', cell: ({ trx }) => <span className="mono">{trx ?? '–'}</span> },
  { id: 'state', head: t('common.state'), cell: ({ state }) => <ArrivalState state={state} /> },
]
