import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { Card } from '#ui/card.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { groupedNumber } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import type { Reply } from '#web/api/call.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { copyLabels } from '#web/i18n/copy-labels.ts'

const PER_PAGE = 7

/**
 * Each complete day of the price log: its sequence numbers, its last hash, and its file as long as the server stores
 * it.
 */
export function LogDays() {
  const [page, setPage] = useState(1)
  const query = useCallQuery('GET /proof/heads', {})
  const days = query.data?.data.days
  return (
    <>
      <p className="mb-4 text-small text-fg-2">{t('incidents.days_intro')}</p>
      <PagedList
        query={query}
        items={days?.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
        page={page}
        pageCount={Math.ceil((days?.length ?? 0) / PER_PAGE)}
        onPage={setPage}
        label={t('incidents.days')}
        keyOf={({ day }) => day}
        emptyText={t('incidents.days_empty')}
      >
        {(day) => <DayOfLog day={day} />}
      </PagedList>
    </>
  )
}

function DayOfLog({ day }: { day: Reply<'GET /proof/heads'>['days'][number] }) {
  const places = { from: grouped(day.first_seq), to: grouped(day.last_seq) }
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="num font-semibold">
          <time dateTime={day.day}>{day.day}</time> UTC
        </h2>
        {day.is_kept ? (
          <Link
            href={`/api/ticks/${day.day}.csv`}
            download
            aria-label={`${t('check.download')} ${day.day}`}
            className="inline-flex min-h-11 items-center gap-1.5 text-small text-brand underline-offset-4 hover:underline"
          >
            <Download size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('check.download')}
          </Link>
        ) : (
          <span className="inline-flex min-h-11 items-center text-label text-fg-3">{t('incidents.dropped')}</span>
        )}
      </div>
      <p className="mb-2 text-label text-fg-2 tabular-nums">{t('incidents.places', places)}</p>
      <CopyRow text={day.hash} labels={copyLabels()} />
    </Card>
  )
}

function grouped(place: number): string {
  return groupedNumber(String(place))
}
