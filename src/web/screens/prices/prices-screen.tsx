import { Card } from '#ui/card.tsx'
import type { Reply } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { clockDateTime } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { Certificates } from '#web/screens/prices/certificates.tsx'
import { ServerClock } from '#web/screens/prices/server-clock.tsx'
import { Sources } from '#web/screens/prices/sources.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { ProofLinks } from '#web/shell/proof-links.tsx'

export const PricesScreen = withData(Prices)

type SourcesReply = Reply<'GET /proof/sources'>

/**
 * Where prices come from: the sources in force, all changes of the sources, the server's clock, and the certificates of
 * the hosts. Open to everyone.
 */
function Prices() {
  const query = useCallQuery('GET /proof/sources', {})
  const sources = query.data?.data
  return (
    <Page
      title={t('screen.prices')}
      header={<DeepHeader title={t('screen.prices')} crumb={t('page.crumb')} parent="/" />}
      className="pt-1 pb-8"
    >
      <p className="mb-4 text-small text-fg-2">{t('prices.intro')}</p>
      {sources === undefined ? (
        <LoadingCard query={query} />
      ) : (
        <>
          {sources.in_force === null ? (
            <Card>{t('prices.none')}</Card>
          ) : (
            <Sources text={sources.in_force.text} appliesAt={sources.in_force.applies_at} />
          )}
          <Changes sources={sources} />
          <ServerClock clock={sources.clock} />
          <Certificates peers={sources.peers} />
        </>
      )}
      <ProofLinks from="prices" />
    </Page>
  )
}

/** All configurations, newest first, each with its exact text. */
function Changes({ sources: { versions, in_force: inForce } }: { sources: SourcesReply }) {
  if (versions.length === 0) return null
  return (
    <Card className="mt-4">
      <h2 className="mb-2 text-body font-semibold">{t('prices.changes')}</h2>
      <ul className="flex flex-col gap-2 text-small">
        {versions.map(({ number, applies_at: appliesAt }) => {
          const time = clockDateTime(Date.parse(appliesAt))
          const isAnnounced = number > (inForce?.number ?? 0)
          return (
            <li key={number} className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span>
                {t('prices.change', { number })}
                <span className="block text-caption text-fg-2">
                  {isAnnounced ? t('prices.counts_from', { time }) : t('prices.counts_since', { time })}
                </span>
              </span>
              <a
                href={`/api/proof/sources/${number}`}
                className="inline-flex min-h-11 items-center text-brand underline-offset-4 hover:underline"
              >
                {t('prices.text')}
              </a>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
