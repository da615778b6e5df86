import type { ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { TextRow } from '#contract/back-office/texts.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { FALLBACK_LANGUAGE, LANGUAGE_CODES, LANGUAGES, readLanguage } from '#messages/languages.ts'
import { Pill } from '#ui/pill.tsx'
import { Select } from '#ui/select.tsx'
import { TabPanel } from '#ui/tabs.tsx'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { TextDetail } from '#back-office/pages/texts/text-detail.tsx'
import { t } from '#back-office/i18n/t.ts'

const ANY = 'any'

export function TextList({ tabs }: { tabs: ReactNode }) {
  const { key } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['language', 'only', 'search'])
  const language = readLanguage(filters.language) ?? FALLBACK_LANGUAGE
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  return (
    <ListPage
      title={t('nav.texts')}
      call={staffCalls.staffTexts}
      filters={{ language, only: filters.only, search: filters.search }}
      columns={COLUMNS}
      keyOf={(row) => row.key}
      onOpen={(row) => goTo(`/texts/${row.key}`)}
      openKey={key}
      search={{
        placeholder: t('texts.search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      empty={t('texts.none')}
      detail={
        key !== undefined && (
          <TextDetail key={`${language} ${key}`} language={language} textKey={key} onClose={() => goTo('/texts')} />
        )
      }
    >
      {tabs}
      <TabPanel
        id="texts"
        value="texts"
        className="grid shrink-0 gap-3 px-4 py-3 md:grid-cols-2 md:px-6 lg:max-w-[560px]"
      >
        <Select
          label={t('texts.language')}
          value={language}
          options={LANGUAGE_CODES.map((value) => ({ value, label: LANGUAGES[value].name }))}
          onChange={(value) => setFilter('language', value)}
        />
        <Select
          label={t('texts.only')}
          value={filters.only === '' ? ANY : filters.only}
          options={([ANY, 'changed', 'missing'] as const).map((value) => ({ value, label: t(`texts.${value}`) }))}
          onChange={(value) => setFilter('only', value === ANY ? '' : value)}
        />
      </TabPanel>
    </ListPage>
  )
}

const COLUMNS: readonly Column<TextRow>[] = [
  {
    id: 'says',
    head: t('texts.says'),
    cell: ({ own, shipped, english, key, language }) => (
      <span className="block max-w-[64ch] min-w-0 py-1">
        <span className="line-clamp-2 font-list" dir="auto" lang={LANGUAGES[readLanguage(language) ?? 'en'].tag}>
          {own ?? shipped ?? english}
        </span>
        <span className="mono block truncate text-caption text-fg-3">{key}</span>
      </span>
    ),
  },
  {
    id: 'state',
    head: t('texts.state'),
    end: true,
    cell: ({ own, shipped }) =>
      own !== null ? (
        <Pill tone="brand">{t('texts.yours')}</Pill>
      ) : shipped === null ? (
        <Pill tone="warn">{t('texts.falls_in')}</Pill>
      ) : (
        <span className="text-fg-3">{t('texts.ours')}</span>
      ),
  },
]
