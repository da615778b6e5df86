import { useState } from 'react'
import type { Reply } from '#web/api/call.ts'
import { readTermsText, TERMS_PARTS, type TermsEntry } from '#core/markets/terms/terms-entry.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import { Card } from '#ui/card.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { Folded } from '#ui/folded.tsx'
import { termsChangeText } from '#ui/terms-text.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { copyLabels } from '#web/i18n/copy-labels.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { PagedList } from '#web/lists/paged-list.tsx'
import { lengthText } from '#web/receipts/order-text.ts'
import { PeopleSection } from '#web/screens/changes/people-section.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { ProofLinks } from '#web/shell/proof-links.tsx'
import { ChangedWords } from '#web/screens/changes/changed-words.tsx'

const PER_PAGE = 20
/** 1,000 entries: the longest reply. Changes that do not apply yet are among the newest entries. */
const NEWEST = { query: { limit: 1_000 } }
const WORDS = { t, length: lengthText }

export const ChangesScreen = withData(Changes)

/** The trade terms that were announced, and which of them do not apply yet. Open to everyone. */
function Changes() {
  const [page, setPage] = useState(1)
  const query = useCallQuery('GET /proof/terms', NEWEST)
  const shown = query.data?.data.entries.map(toShown)
  const moments = shown && byMoment(shown)
  return (
    <Page
      title={t('screen.changes')}
      header={<DeepHeader title={t('screen.changes')} crumb={t('page.crumb')} parent="/" />}
      className="pt-1 pb-8"
    >
      <p className="mb-2 text-small text-fg-2">{t('changes.intro')}</p>
      <p className="mb-4 text-small text-fg-2">{t('changes.no_record')}</p>
      {shown !== undefined && (
        <>
          <Coming entries={shown.flatMap(({ entry }) => entry ?? [])} now={instant(query.dataUpdatedAt)} />
          <h2 className="mt-6 mb-2 font-semibold">{t('changes.history')}</h2>
        </>
      )}
      <PagedList
        query={query}
        items={moments?.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
        page={page}
        pageCount={Math.ceil((moments?.length ?? 0) / PER_PAGE)}
        onPage={setPage}
        label={t('changes.history')}
        keyOf={([first]) => first?.hash ?? ''}
        emptyText={t('changes.coming_none')}
      >
        {(moment) => <MomentCard entries={moment} />}
      </PagedList>
      {!query.isPending && (
        <>
          <ChangedWords />
          <div className="after-loading">
            <PeopleSection />
          </div>
          <ProofLinks from="changes" />
        </>
      )}
    </Page>
  )
}

interface ShownEntry {
  readonly text: string
  readonly hash: string
  /** Null when this page does not know the kind of the entry. The text of the entry is shown instead. */
  readonly entry: TermsEntry | null
}

function toShown({ text, hash }: Reply<'GET /proof/terms'>['entries'][number]): ShownEntry {
  return { text, hash, entry: readTermsText(text) }
}

function Coming({ entries, now }: { entries: readonly TermsEntry[]; now: Instant }) {
  const coming = comingAt(entries, now)
  return (
    <section aria-labelledby="coming">
      <h2 id="coming" className="mb-2 font-semibold">
        {t('changes.coming')}
      </h2>
      <Card>
        {coming.length === 0 ? (
          <p className="text-small text-fg-2">{t('changes.coming_none')}</p>
        ) : (
          <ul className="flex flex-col gap-2.5">
            {coming.map((change) => (
              <li key={change.n}>
                <p className="text-small font-semibold">{termsChangeText(change, WORDS)}</p>
                <p className="text-label text-fg-2">
                  {t('changes.applies', { time: dayAndTimeText(change.appliesAt) })}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}

/** Announced changes that do not apply yet and that no later one replaces, soonest first. */
function comingAt(newestFirst: readonly TermsEntry[], now: Instant) {
  const history = new TermsHistory(newestFirst.toReversed())
  return TERMS_PARTS.flatMap((what) => history.subjects(what).flatMap((of) => history.coming(what, of, now))).toSorted(
    (a, b) => a.appliesAt - b.appliesAt || a.n - b.n,
  )
}

/** Groups adjacent entries that were announced together and apply together, such as the first terms of a site. */
function byMoment(entries: readonly ShownEntry[]): ShownEntry[][] {
  const moments: ShownEntry[][] = []
  for (const one of entries) {
    const current = moments.at(-1)
    const [first] = current ?? []
    const isSame =
      first?.entry?.announcedAt === one.entry?.announcedAt && first?.entry?.appliesAt === one.entry?.appliesAt
    if (current !== undefined && one.entry !== null && isSame) current.push(one)
    else moments.push([one])
  }
  return moments
}

function MomentCard({ entries }: { entries: readonly ShownEntry[] }) {
  const [first] = entries
  if (first === undefined) return null
  if (entries.length === 1) return <EntryCard {...first} />
  return (
    <Card>
      <h3 className="text-small font-semibold">{t('changes.together', { count: entries.length })}</h3>
      <Times entry={first.entry} />
      <Folded summary={t('changes.show')}>
        <ul className="mt-3 flex flex-col gap-4">
          {entries.map((one) => (
            <li key={one.hash}>
              <EntryTitle {...one} />
              <Hash hash={one.hash} />
            </li>
          ))}
        </ul>
      </Folded>
    </Card>
  )
}

function EntryCard(one: ShownEntry) {
  return (
    <Card>
      <EntryTitle {...one} />
      <Times entry={one.entry} />
      <Hash hash={one.hash} />
    </Card>
  )
}

function EntryTitle({ text, entry }: ShownEntry) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <h3 className="min-w-0 text-small font-semibold break-words">
        {entry === null ? text : termsChangeText(entry, WORDS)}
      </h3>
      {entry !== null && (
        <span className="num shrink-0 text-label text-fg-3">{t('changes.number', { n: entry.n })}</span>
      )}
    </div>
  )
}

function Times({ entry }: Pick<ShownEntry, 'entry'>) {
  if (entry === null) return null
  return (
    <p className="flex flex-wrap gap-x-3 text-label text-fg-2 tabular-nums">
      <span>{t('changes.announced', { time: dayAndTimeText(entry.announcedAt) })}</span>
      <span>
        {entry.isBefore ? t('changes.before') : t('changes.applies', { time: dayAndTimeText(entry.appliesAt) })}
      </span>
    </p>
  )
}

function Hash({ hash }: Pick<ShownEntry, 'hash'>) {
  return (
    <Folded summary={t('changes.hash')}>
      <div className="mt-2">
        <CopyRow text={hash} labels={copyLabels()} />
      </div>
    </Folded>
  )
}
