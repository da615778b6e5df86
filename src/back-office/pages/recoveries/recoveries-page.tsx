import { useNavigate, useParams } from 'react-router'
import type { RecoveryRow } from '#contract/back-office/recoveries.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { lostText } from '#back-office/pages/recoveries/lost-text.ts'
import { RecoveryDetail } from '#back-office/pages/recoveries/recovery-detail.tsx'
import { RecoveryState } from '#back-office/pages/recoveries/recovery-state.tsx'
import { t } from '#back-office/i18n/t.ts'

const TABS = ['open', 'all'] as const

/** Recoveries of accounts that wait for a person or for their time, and those that are over. */
export function RecoveriesPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['state'])
  const tab = TABS.find((one) => one === filters.state) ?? 'open'
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={t('nav.recoveries')}
      call={staffCalls.staffRecoveries}
      filters={{ state: tab }}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => goTo(`/recoveries/${row.id}`)}
      openKey={id}
      empty={t(tab === 'open' ? 'recoveries.none_open' : 'recoveries.none')}
      detail={id !== undefined && <RecoveryDetail key={id} id={id} onClose={() => goTo('/recoveries')} />}
      tabs={{
        id: 'recoveries',
        label: t('recoveries.tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`recoveries.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('state', value),
      }}
    />
  )
}

const COLUMNS: readonly Column<RecoveryRow>[] = [
  {
    id: 'user',
    head: t('recoveries.user'),
    cell: ({ username, lost }) => (
      <span className="min-w-0">
        <span className="block truncate font-list">{username}</span>
        <span className="block text-caption text-fg-3">{lostText(lost)}</span>
      </span>
    ),
  },
  { id: 'state', head: t('recoveries.state'), cell: ({ state }) => <RecoveryState state={state} /> },
  { id: 'by', head: t('recoveries.asked_by'), from: 'md', cell: ({ asked_by: by }) => by },
  {
    id: 'opens',
    head: t('recoveries.opens'),
    from: 'md',
    cell: ({ opens_at: at }) => <span className="num whitespace-nowrap">{at === null ? '–' : time(at)}</span>,
  },
]
