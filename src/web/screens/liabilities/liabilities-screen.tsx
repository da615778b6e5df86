import { useState } from 'react'
import type { LiabilitiesReply } from '#contract/proof.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { followOn } from '#web/liabilities/check-proof.ts'
import { ChainNote } from '#web/screens/liabilities/chain-note.tsx'
import { DayCard } from '#web/screens/liabilities/day-card.tsx'
import { Explanations } from '#web/screens/liabilities/explanations.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { ProofLinks } from '#web/shell/proof-links.tsx'
import { useSession } from '#web/session/session.ts'

export const LiabilitiesScreen = withData(Liabilities)

const PER_PAGE = 5

/** The total owed to all users day by day, with what it proves and does not prove. Open to everyone. */
function Liabilities() {
  const [page, setPage] = useState(1)
  const query = useCallQuery('GET /proof/liabilities', { query: { page, per_page: PER_PAGE } }, { keepPrevious: true })
  const reply = query.data?.data
  const isSignedIn = useSession() !== null
  return (
    <Page
      title={t('screen.liabilities')}
      header={
        <DeepHeader title={t('screen.liabilities')} crumb={t('page.crumb')} parent={isSignedIn ? '/wallet' : '/'} />
      }
      className="pt-1 pb-8"
    >
      <p className="text-small text-fg-2">{t('liabilities.intro')}</p>
      <ButtonLink href="/wallet" size="m" className="mt-4 self-start">
        {t('liabilities.to_wallet')}
      </ButtonLink>
      <section aria-labelledby="liabilities-days" className="mt-6">
        <h2 id="liabilities-days" className="mb-2 text-heading">
          {t('liabilities.days')}
        </h2>
        {reply && reply.days.length > 0 && <ChainNote holds={followOn(reply.days)} />}
        <PagedList
          query={query}
          items={reply?.days}
          page={page}
          onPage={setPage}
          label={t('liabilities.days')}
          keyOf={({ day }) => day}
          emptyText={t('liabilities.empty')}
        >
          {(day) => <DayCard record={day} />}
        </PagedList>
      </section>
      {reply && reply.statement !== '' && <Statement reply={reply} />}
      <Explanations />
      <ProofLinks from="liabilities" />
    </Page>
  )
}

/** The operator's statement, kept apart from what is proven. */
function Statement({ reply }: { reply: LiabilitiesReply }) {
  return (
    <section aria-labelledby="liabilities-statement" className="mt-6">
      <h2 id="liabilities-statement" className="mb-2 text-heading">
        {t('liabilities.statement_title')}
      </h2>
      <Card>
        <p className="text-small [overflow-wrap:anywhere] whitespace-pre-line">{reply.statement}</p>
        <p className="mt-2 text-label text-fg-2">{t('liabilities.statement_note')}</p>
      </Card>
    </section>
  )
}
