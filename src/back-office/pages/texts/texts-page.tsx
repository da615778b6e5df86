import { Tabs } from '#ui/tabs.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { OfferedLanguages } from '#back-office/pages/texts/offered-languages.tsx'
import { TextList } from '#back-office/pages/texts/text-list.tsx'
import { t } from '#back-office/i18n/t.ts'

const TABS = ['texts', 'languages'] as const

/** All texts of the app, and the languages it is offered in. */
export function TextsPage() {
  const [filters, setFilter] = useFilters(['tab'])
  const tab = TABS.find((one) => one === filters.tab) ?? 'texts'
  const tabs = (
    <Tabs
      id="texts"
      label={t('texts.sections')}
      tabs={TABS.map((value) => ({ value, label: t(`texts.${value}`) }))}
      value={tab}
      onChange={(value) => setFilter('tab', value === 'texts' ? '' : value)}
      size="s"
      className="mx-4 md:mx-6"
    />
  )
  return tab === 'texts' ? <TextList tabs={tabs} /> : <OfferedLanguages tabs={tabs} />
}
