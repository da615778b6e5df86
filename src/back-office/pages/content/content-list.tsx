import Plus from 'lucide-react/icons/plus'
import type { ContentRow } from '#contract/back-office/content.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { type ContentBase, CONTENT_PAGES, type Kind, NEW } from '#back-office/pages/content/kinds.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface ContentListProps {
  base: ContentBase
  kind: Kind
  title: string
  onGo: (path: string) => void
}

export function ContentList({ base, kind, title, onGo }: ContentListProps) {
  const [filters, setFilter] = useFilters(['search'])
  const mayEdit = useMay('content.edit')
  return (
    <ListPage
      title={title}
      call={staffCalls.staffContent}
      filters={{ kind, search: filters.search }}
      columns={kind === 'post' ? [TITLE, LANGUAGES_WRITTEN, SINCE, STATE] : [TITLE, LANGUAGES_WRITTEN, PLACE, STATE]}
      keyOf={(row) => row.key}
      onOpen={(row) => onGo(`${base}/${kind}/${row.key}`)}
      search={{
        placeholder: t('content.search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      empty={t('content.none')}
      actions={
        mayEdit && (
          <Button size="m" icon={<Plus size={16} aria-hidden="true" />} onClick={() => onGo(`${base}/${kind}/${NEW}`)}>
            {t(`content.new_${kind}`)}
          </Button>
        )
      }
      tabs={{
        id: 'content-kinds',
        label: t('content.kinds'),
        tabs: CONTENT_PAGES[base].map((value) => ({ value, label: t(`content.${value}`) })),
        value: kind,
        onChange: (value) => onGo(`${base}/${value}`),
      }}
    />
  )
}

const TITLE: Column<ContentRow> = {
  id: 'title',
  head: t('content.title'),
  cell: ({ title, key }) => (
    <span className="block max-w-[46ch] min-w-0">
      <span className="block truncate font-list" dir="auto">
        {title}
      </span>
      <span className="mono block truncate text-caption text-fg-3">{key}</span>
    </span>
  ),
}

const LANGUAGES_WRITTEN: Column<ContentRow> = {
  id: 'languages',
  head: t('content.words_in'),
  from: 'md',
  cell: ({ languages }) => {
    const count = languages === '' ? 0 : languages.split(' ').length
    return count === 0 ? (
      <span className="text-fg-3">{t('content.ours')}</span>
    ) : (
      <span title={languages}>{t('content.languages', { count })}</span>
    )
  },
}

const PLACE: Column<ContentRow> = {
  id: 'place',
  head: t('content.place'),
  from: 'md',
  end: true,
  cell: ({ place }) => <span className="num">{place}</span>,
}

const SINCE: Column<ContentRow> = {
  id: 'since',
  head: t('content.published'),
  from: 'md',
  cell: ({ published_at: at }) => <span className="num">{time(at)}</span>,
}

const STATE: Column<ContentRow> = {
  id: 'state',
  head: t('common.state'),
  cell: ({ is_published: isPublished, published_at: at }) => {
    if (!isPublished) return <OutcomePill outcome="cancelled">{t('content.hidden')}</OutcomePill>
    const isPlanned = Date.parse(at) > Date.now()
    return (
      <OutcomePill outcome={isPlanned ? 'pending' : 'success'}>
        {t(isPlanned ? 'content.planned' : 'content.shown')}
      </OutcomePill>
    )
  },
}
