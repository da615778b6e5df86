import type { SourceConfiguration } from '#core/markets/sources/source-configuration.ts'
import { Card } from '#ui/card.tsx'
import { clockDateTime } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'

/** The sources of each market, the hosts of each provider, and the limits, as published. */
export function Sources({ text, appliesAt }: { text: string; appliesAt: string }) {
  const { providers, limits, symbols } = JSON.parse(text) as SourceConfiguration
  // All computed symbols have the same source, so these symbols share one line.
  const computed = symbols.filter(isComputed)
  const reported = symbols.filter((symbol) => !isComputed(symbol))
  return (
    <>
      <Card>
        <p className="mb-3 text-small text-fg-2">
          {t('prices.counts_since', { time: clockDateTime(Date.parse(appliesAt)) })}
        </p>
        <dl className="flex flex-col gap-2.5 text-small" dir="ltr">
          {providers.map(({ name, stream, rest, exchange }) => (
            <div key={name}>
              <dt className="font-semibold [overflow-wrap:anywhere]">{name}</dt>
              <dd className="text-fg-2 [overflow-wrap:anywhere]">
                {[stream, rest, exchange].filter((part) => part !== undefined).join(' · ')}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card className="mt-4">
        <h2 className="mb-2 text-body font-semibold">{t('prices.markets')}</h2>
        <ul className="flex flex-col gap-2.5 text-small">
          {computed.length > 0 && (
            <li>
              <span className="font-semibold">{t('prices.class_computed')}</span>
              <bdi className="block text-fg-2 [overflow-wrap:anywhere]" dir="ltr">
                {computed.map(({ code }) => code).join(', ')}
              </bdi>
            </li>
          )}
          {reported.map(({ code, sources, limits: own }) => (
            <li key={code}>
              <span className="font-semibold">{code}</span>
              {sources.map((source) => (
                <span key={`${source.provider} ${source.symbol}`} className="block text-fg-2">
                  <bdi className="[overflow-wrap:anywhere]" dir="ltr">
                    {source.provider} {source.symbol}
                  </bdi>
                  {' · '}
                  {t(`prices.class_${source.class}`)}
                </span>
              ))}
              {sources.some((source) => source.class === 'none') && (
                <span className="block text-label text-fg-2">{t('trade.no_record')}</span>
              )}
              {own !== undefined && <Limits limits={own} />}
            </li>
          ))}
        </ul>
      </Card>
      {Object.keys(limits).length > 0 && (
        <Card className="mt-4">
          <h2 className="mb-2 text-body font-semibold">{t('prices.limits')}</h2>
          <Limits limits={limits} />
        </Card>
      )}
    </>
  )
}

/** The limits of the sources, with the names that the published text uses. */
function Limits({ limits }: { limits: Readonly<Record<string, number>> }) {
  return (
    <span className="num block text-caption text-fg-2 [overflow-wrap:anywhere]" dir="ltr">
      {Object.entries(limits)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}
    </span>
  )
}

function isComputed({ sources }: SourceConfiguration['symbols'][number]): boolean {
  return sources.every((source) => source.class === 'computed')
}
