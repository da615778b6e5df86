import { useNavigate, useParams } from 'react-router'
import type { ChangeRow } from '#contract/back-office/changes.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { ChangeState } from '#back-office/pages/changes/change-state.tsx'
import { ChangeDetail } from '#back-office/pages/changes/change-detail.tsx'
import { t } from '#back-office/i18n/t.ts'

const TABS = ['open', 'all'] as const

/** Changes that wait for a second person or for their time, and those that are over. */
export function ChangesPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['state'])
  const tab = TABS.find((one) => one === filters.state) ?? 'open'
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={t('nav.changes')}
      call={staffCalls.staffChanges}
      filters={{ state: tab }}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => goTo(`/changes/${row.id}`)}
      openKey={id}
      empty={t(tab === 'open' ? 'waiting.none_open' : 'waiting.none')}
      detail={id !== undefined && <ChangeDetail key={id} id={id} onClose={() => goTo('/changes')} />}
      tabs={{
        id: 'changes',
        label: t('waiting.tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`waiting.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('state', value),
      }}
    />
  )
}

const COLUMNS: readonly Column<ChangeRow>[] = [
  {
    id: 'what',
    head: t('waiting.what'),
    cell: ({ kind, subject }) => (
      <span className="min-w-0">
        <span className="block truncate font-list">{t(`waiting.kind_${kind}`)}</span>
        <span className="block text-caption text-fg-3">{subject}</span>
      </span>
    ),
  },
  { id: 'state', head: t('waiting.state'), cell: ({ state }) => <ChangeState state={state} /> },
  { id: 'by', head: t('waiting.asked_by'), from: 'md', cell: ({ asked_by: by }) => by },
  {
    id: 'applies',
    head: t('waiting.applies'),
    from: 'md',
    cell: ({ applies_at: at }) => <span className="num whitespace-nowrap">{at === null ? '–' : time(at)}</span>,
  },
]
