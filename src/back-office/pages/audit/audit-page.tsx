import { useNavigate, useParams } from 'react-router'
import type { AuditRow } from '#contract/back-office/audit.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { cx } from '#ui/cx.ts'
import { Pill } from '#ui/pill.tsx'
import { areaOf } from '#contract/back-office/staff-call.ts'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { FilterBar, FilterPeriod, FilterSelect, FilterText } from '#back-office/list/filter-bar.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { AuditDetail } from '#back-office/pages/audit/audit-detail.tsx'
import { VerifyAudit } from '#back-office/pages/audit/verify-audit.tsx'
import { actionName, areaName } from '#back-office/i18n/plain-words.ts'
import { t } from '#back-office/i18n/t.ts'

/** The areas of all audited actions. Every audited action is a call or a command. */
const AREAS = [...new Set([...Object.values(staffCalls).map(areaOf), 'export', 'markets', 'symbols'])]
  .filter((area) => area !== 'me')
  .toSorted()
  .map((value) => ({ value, label: areaName(value) }))
const OUTCOMES = ['done', 'looked', 'refused', 'failed'] as const

/** The audit log: who did what, when, from where and why. Nothing here can be changed. */
export function AuditPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['who', 'area', 'target', 'outcome', 'from', 'to'])
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={t('nav.audit')}
      call={staffCalls.staffAudit}
      filters={filters}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => goTo(`/audit/${row.id}`)}
      openKey={id}
      empty={t('audit.none')}
      detail={id !== undefined && <AuditDetail key={id} id={id} onClose={() => goTo('/audit')} />}
    >
      <VerifyAudit />
      <FilterBar>
        <FilterText label={t('audit.who')} value={filters.who} onChange={(text) => setFilter('who', text)} />
        <FilterSelect
          label={t('audit.what')}
          value={filters.area}
          options={AREAS}
          onChange={(value) => setFilter('area', value)}
        />
        <FilterText label={t('audit.target')} value={filters.target} onChange={(text) => setFilter('target', text)} />
        <FilterSelect
          label={t('audit.outcome')}
          value={filters.outcome}
          options={OUTCOMES.map((value) => ({ value, label: t(`audit.${value}`) }))}
          onChange={(value) => setFilter('outcome', value)}
        />
        <FilterPeriod from={filters.from} to={filters.to} onChange={setFilter} />
      </FilterBar>
    </ListPage>
  )
}

const COLUMNS: readonly Column<AuditRow>[] = [
  {
    id: 'who',
    head: t('audit.who'),
    cell: ({ who, at }) => (
      <span className="block min-w-0">
        <span className="block truncate font-list">{who}</span>
        <span className="num block text-caption whitespace-nowrap text-fg-3">{time(at)}</span>
      </span>
    ),
  },
  {
    id: 'what',
    head: t('audit.what'),
    cell: ({ what, target, target_name: name }) => (
      <span className="block min-w-0">
        <span className="block break-words">{actionName(what)}</span>
        <span
          className={cx('block max-w-[28ch] truncate text-fg-3', name === target ? 'mono' : 'text-caption')}
          title={target}
        >
          {name}
        </span>
      </span>
    ),
  },
  {
    id: 'reason',
    head: t('audit.reason'),
    from: 'lg',
    cell: ({ reason }) => <span className="line-clamp-2 max-w-[36ch] text-fg-2">{reason}</span>,
  },
  { id: 'outcome', head: t('audit.outcome'), from: 'md', cell: ({ outcome }) => <AuditOutcome outcome={outcome} /> },
  {
    id: 'seq',
    head: t('audit.line'),
    end: true,
    from: 'xl',
    cell: ({ seq }) => <span className="num text-fg-3">{seq ?? '–'}</span>,
  },
]

export function AuditOutcome({ outcome }: Pick<AuditRow, 'outcome'>) {
  const isTrouble = outcome === 'refused' || outcome === 'failed'
  return <Pill tone={isTrouble ? 'warn' : outcome === 'done' ? 'brand' : 'neutral'}>{t(`audit.${outcome}`)}</Pill>
}
