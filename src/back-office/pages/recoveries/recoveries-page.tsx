import type { RecoveryRow } from '#contract/back-office/recoveries.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { OpenOrAllPage } from '#back-office/list/open-or-all-page.tsx'
import { lostText } from '#back-office/pages/recoveries/lost-text.ts'
import { RecoveryDetail } from '#back-office/pages/recoveries/recovery-detail.tsx'
import { RecoveryState } from '#back-office/pages/recoveries/recovery-state.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Account recoveries that wait for a staff member or for the end of their waiting time, and finished recoveries. */
export function RecoveriesPage() {
  return (
    <OpenOrAllPage
      href="/recoveries"
      title={t('nav.recoveries')}
      call={staffCalls.staffRecoveries}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      tabsLabel={t('recoveries.tabs')}
      tabs={{ open: t('recoveries.open'), all: t('recoveries.all') }}
      empty={{ open: t('recoveries.none_open'), all: t('recoveries.none') }}
      Detail={RecoveryDetail}
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
