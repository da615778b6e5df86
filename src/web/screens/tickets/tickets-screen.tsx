import { useEffect, useState } from 'react'
import type { TicketRow } from '#contract/tickets.ts'
import { SILENCE_MS } from '#core/tickets/ticket-rules.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Link } from '#ui/link.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { aboutText, STATE_OUTCOME } from '#web/screens/tickets/ticket-text.ts'
import { onNewNotice } from '#web/session/new-notices.ts'
import { useSession } from '#web/session/session.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

const PER_PAGE = 10

export const TicketsScreen = withData(Tickets)

/** The tickets of the user, newest message first. */
function Tickets() {
  const isBlocked = Boolean(useSession()?.user.leaving)
  const [page, setPage] = useState(1)
  const query = useCallQuery('GET /user/tickets', { query: { page, per_page: PER_PAGE } }, { keepPrevious: true })
  const { refetch } = query
  useEffect(() => onNewNotice(() => void refetch()), [refetch])
  return (
    <Page
      title={t('screen.tickets')}
      header={<DeepHeader title={t('screen.tickets')} parent="/account" />}
      className="pt-1 pb-8"
    >
      <p className="mb-3 px-0.5 text-small text-fg-2">{t('tickets.quiet', { days: SILENCE_MS / DAY_MS })}</p>
      {!isBlocked && (
        <ButtonLink href="/tickets/new" variant="secondary" size="m" className="mb-4 self-start">
          {t('tickets.wrong')}
        </ButtonLink>
      )}
      <PagedList
        query={query}
        items={query.data?.data.tickets}
        page={page}
        onPage={setPage}
        label={t('tickets.list')}
        keyOf={({ no }) => no}
        emptyText={t('tickets.empty')}
      >
        {(ticket) => <TicketCard ticket={ticket} />}
      </PagedList>
    </Page>
  )
}

function TicketCard({ ticket }: { ticket: TicketRow }) {
  return (
    <Card padded={false}>
      <Link href={`/tickets/${ticket.no}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
        <span className="min-w-0 flex-[1_1_10rem]">
          <span className="block font-semibold break-words">{t(`tickets.topic_${ticket.topic}`)}</span>
          <span className="block text-label break-words text-fg-2">{aboutText(ticket.about_kind, ticket.about)}</span>
          <span className="block text-label text-fg-3 tabular-nums">{dayAndTimeText(Date.parse(ticket.last_at))}</span>
        </span>
        <OutcomePill outcome={STATE_OUTCOME[ticket.state]}>{t(`tickets.state_${ticket.state}`)}</OutcomePill>
      </Link>
    </Card>
  )
}
