import type { ChangeRow } from '#contract/back-office/changes.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { OpenOrAllPage } from '#back-office/list/open-or-all-page.tsx'
import { ChangeState } from '#back-office/pages/changes/change-state.tsx'
import { ChangeDetail } from '#back-office/pages/changes/change-detail.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Changes that wait for a second approver or for the time at which they apply, and finished changes. */
export function ChangesPage() {
  return (
    <OpenOrAllPage
      href="/changes"
      title={t('nav.changes')}
      call={staffCalls.staffChanges}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      tabsLabel={t('waiting.tabs')}
      tabs={{ open: t('waiting.open'), all: t('waiting.all') }}
      empty={{ open: t('waiting.none_open'), all: t('waiting.none') }}
      Detail={ChangeDetail}
    />
  )
}

const COLUMNS: readonly Column<ChangeRow>[] = [
  {
    id: 'what',
    head: t('waiting.what'),
    cell: ({ kind, subject, subject_name: name }) => (
      <span className="min-w-0">
        <span className="block truncate font-list">{t(`waiting.kind_${kind}`)}</span>
        <span className="block text-caption text-fg-3" title={subject}>
          {name}
        </span>
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
