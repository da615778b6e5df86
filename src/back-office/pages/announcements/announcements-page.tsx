import Plus from 'lucide-react/icons/plus'
import { useNavigate, useParams } from 'react-router'
import type { AnnouncementRow } from '#contract/back-office/announcements.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { AnnouncementEditor } from '#back-office/pages/announcements/announcement-editor.tsx'
import { NEW } from '#back-office/pages/content/kinds.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const ALL = 'all'
const TABS = [ALL, 'now', 'planned', 'over'] as const

export function AnnouncementsPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const goTo = (path: string) => void navigate(path)
  if (id === undefined) return <AnnouncementList onGo={goTo} />
  return (
    <AnnouncementEditor
      key={id}
      id={id}
      onCreated={(newId) => goTo(`/announcements/${newId}`)}
      onGone={() => goTo('/announcements')}
    />
  )
}

function AnnouncementList({ onGo }: { onGo: (path: string) => void }) {
  const [filters, setFilter] = useFilters(['state'])
  const mayEdit = useMay('content.edit')
  const tab = TABS.find((one) => one === filters.state) ?? ALL
  return (
    <ListPage
      title={t('nav.announcements')}
      call={staffCalls.staffAnnouncements}
      filters={{ state: tab === ALL ? '' : tab }}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => onGo(`/announcements/${row.id}`)}
      empty={t('announcements.none')}
      actions={
        mayEdit && (
          <Button size="m" icon={<Plus size={16} aria-hidden="true" />} onClick={() => onGo(`/announcements/${NEW}`)}>
            {t('announcements.new')}
          </Button>
        )
      }
      tabs={{
        id: 'announcements',
        label: t('announcements.states'),
        tabs: TABS.map((value) => ({ value, label: t(`announcements.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('state', value === ALL ? '' : value),
      }}
    />
  )
}

const OUTCOME = { now: 'success', planned: 'pending', over: 'cancelled' } as const

const COLUMNS: readonly Column<AnnouncementRow>[] = [
  {
    id: 'text',
    head: t('announcements.text'),
    cell: ({ text, link }) => (
      <span className="block max-w-[56ch] min-w-0 py-1">
        <span className="line-clamp-2 font-list" dir="auto">
          {text}
        </span>
        {link !== '' && <span className="mono block truncate text-caption text-fg-3">{link}</span>}
      </span>
    ),
  },
  { id: 'tone', head: t('announcements.tone'), from: 'lg', cell: ({ tone }) => t(`announcements.${tone}`) },
  {
    id: 'period',
    head: t('announcements.period'),
    from: 'md',
    cell: ({ from, until }) => (
      <span className="num">
        <span className="block">{time(from)}</span>
        <span className="block text-caption text-fg-3">{time(until)}</span>
      </span>
    ),
  },
  {
    id: 'state',
    head: t('common.state'),
    cell: ({ state }) => <OutcomePill outcome={OUTCOME[state]}>{t(`announcements.${state}`)}</OutcomePill>,
  },
]
