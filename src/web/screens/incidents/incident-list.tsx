import { useState } from 'react'
import { Select } from '#ui/select.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { IncidentCard } from '#web/screens/incidents/incident-card.tsx'

/** Incidents of all symbols or one, newest first, in pages. */
export function IncidentList() {
  const [symbol, setSymbol] = useState('')
  // The cursor of each page read so far. The first page has none.
  const [begins, setBegins] = useState<readonly (string | undefined)[]>([undefined])
  const [page, setPage] = useState(1)
  const symbols = useCallQuery('GET /user/crypto-currency/list', {}).data?.data.currencies ?? []
  const before = begins[page - 1]
  const query = useCallQuery(
    'GET /proof/incidents',
    { query: { ...(before !== undefined && { before }), ...(symbol !== '' && { symbol }) } },
    { keepPrevious: true },
  )
  const next = query.isPlaceholderData ? null : (query.data?.data.next ?? null)
  const go = (to: number) => {
    if (to > page && next !== null) setBegins([...begins.slice(0, page), next])
    setPage(to)
  }
  return (
    <>
      <p className="mb-4 text-small text-fg-2">{t('incidents.intro')}</p>
      <Select
        label={t('fairness.symbol')}
        options={[
          { value: '', label: t('fairness.all') },
          ...symbols.map((one) => ({ value: one.symbol, label: one.symbol })),
        ]}
        value={symbol}
        onChange={(chosen) => {
          setSymbol(chosen)
          setBegins([undefined])
          setPage(1)
        }}
        className="mb-3"
      />
      <PagedList
        query={query}
        items={query.data?.data.incidents}
        page={page}
        pageCount={next === null ? Math.max(page, query.isPlaceholderData ? begins.length : 0) : page + 1}
        onPage={go}
        label={t('screen.incidents')}
        keyOf={({ id }) => id}
        emptyText={t('incidents.empty')}
      >
        {(incident) => <IncidentCard incident={incident} />}
      </PagedList>
    </>
  )
}
