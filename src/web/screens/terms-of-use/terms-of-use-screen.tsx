import { useState } from 'react'
import type { TermsOfUseOut, TermsVersionOut } from '#contract/terms-of-use.ts'
import { compareBlocks } from '#core/content/changed-blocks.ts'
import { parseMarkup } from '#core/content/markup.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { call } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { fullDayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { OlderTerms } from '#web/screens/terms-of-use/older-terms.tsx'
import { useSession } from '#web/session/session.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useCloseTitle } from '#web/site/close-title.ts'
import { refreshUser } from '#web/site/refresh-user.ts'

export const TermsOfUseScreen = withData(TermsOfUse)

/** The terms of use: the text in force, what changes and when, and what the user agreed to. */
function TermsOfUse() {
  const query = useCallQuery('GET /user/terms', {})
  const terms = query.data?.data
  return (
    <Page
      title={t('screen.terms_of_use')}
      header={<DeepHeader title={t('screen.terms_of_use')} crumb={t('page.crumb')} parent="/" />}
      className="pt-1 pb-8"
    >
      <ListStates query={query} isEmpty={terms === undefined} emptyText={t('common.no_data')}>
        {terms && <Sections terms={terms} reload={() => void query.refetch()} />}
      </ListStates>
    </Page>
  )
}

function Sections({ terms, reload }: { terms: TermsOfUseOut; reload: () => void }) {
  const isSignedIn = useSession() !== null
  const { current, upcoming, agreed } = terms
  const hasAgreedTo = (version: number) => agreed !== null && agreed.version >= version
  return (
    <div className="flex flex-col gap-4">
      {upcoming && (
        <section aria-labelledby="upcoming">
          <h2 id="upcoming" className="mb-2 font-semibold">
            {t('terms_of_use.upcoming', { time: fullDayAndTimeText(Date.parse(upcoming.from)) })}
          </h2>
          <VersionCard version={upcoming} before={current} />
          {isSignedIn && !hasAgreedTo(upcoming.version) && (
            <Agree key={upcoming.sha256} version={upcoming} onDone={reload} />
          )}
        </section>
      )}
      <section aria-labelledby="current">
        <h2 id="current" className="mb-2 font-semibold">
          {t('terms_of_use.since', { version: current.version, time: fullDayAndTimeText(Date.parse(current.from)) })}
        </h2>
        {isSignedIn && (
          <p className="mb-2 text-small text-fg-2">
            {terms.needed
              ? t('shell.terms_needed')
              : agreed === null
                ? null
                : t('terms_of_use.agreed', {
                    version: agreed.version,
                    time: fullDayAndTimeText(Date.parse(agreed.at)),
                  })}
          </p>
        )}
        <CurrentCard terms={terms} />
        {terms.needed && <Agree key={current.sha256} version={current} onDone={reload} />}
      </section>
      <OlderTerms terms={terms} />
    </div>
  )
}

/**
 * The text in force. Until the user has agreed to this text, its differences from the version that the user knows are
 * marked.
 */
function CurrentCard({ terms: { current, agreed, needed } }: { terms: TermsOfUseOut }) {
  const known = agreed?.version ?? current.version - 1
  const isCompared = needed && known >= 1
  const query = useCallQuery(
    'GET /user/terms/:version',
    { params: { version: String(known) } },
    { enabled: isCompared },
  )
  return <VersionCard version={current} before={isCompared ? query.data?.data : undefined} />
}

/** A version of the terms, with the parts marked that are new since another version. */
function VersionCard({ version, before }: { version: TermsVersionOut; before: TermsVersionOut | undefined }) {
  const compared = compareBlocks(parseMarkup(before?.text ?? version.text), parseMarkup(version.text))
  return (
    <Card>
      {before !== undefined && version.summary !== '' && (
        <p dir="auto" className="mb-3 font-list">
          {version.summary}
        </p>
      )}
      <div className="flex flex-col gap-3">
        {compared.map(({ block, isNew }, place) =>
          isNew ? (
            // oxlint-disable-next-line react/no-array-index-key -- the blocks of a version never move
            <ins key={place} className="block border-s-4 border-brand ps-3 no-underline">
              <span className="text-caption font-semibold text-brand">{t('terms_of_use.new')}</span>
              <RichText blocks={[block]} />
            </ins>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- as above
            <RichText key={place} blocks={[block]} className="text-fg-2" />
          ),
        )}
      </div>
    </Card>
  )
}

function Agree({ version, onDone }: { version: TermsVersionOut; onDone: () => void }) {
  const [isDone, setDone] = useState(false)
  const closeTitle = useCloseTitle()
  const form = useForm({
    initial: {},
    validate: () => ({}),
    submit: async () => {
      await call('POST /user/terms/agree', { body: { version: version.version, sha256: version.sha256 } })
      setDone(true)
      void refreshUser()
      onDone()
    },
  })
  return (
    <form onSubmit={form.onSubmit} className="my-3 flex flex-col gap-2">
      <FormFailure messages={form.failure} />
      {/* All buttons look alike: users may decline, and can then withdraw their money or close the account. */}
      <Button type="submit" variant="secondary" disabled={isDone} loading={form.busy}>
        {t('terms_of_use.agree')}
      </Button>
      <ButtonLink href="/withdraw" variant="secondary">
        {t('screen.withdraw')}
      </ButtonLink>
      <ButtonLink href="/account/close" variant="secondary">
        {closeTitle}
      </ButtonLink>
    </form>
  )
}
