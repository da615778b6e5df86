import { Card } from '#ui/card.tsx'
import type { Reply } from '#web/api/call.ts'
import { t } from '#web/i18n/t.ts'

type ClockReply = Reply<'GET /proof/sources'>['clock']

/** How far the server's clock is from the clocks of the providers. */
export function ServerClock({ clock }: { clock: ClockReply }) {
  if (clock === null) return null
  return (
    <Card className="mt-4">
      <h2 className="mb-1 text-body font-semibold">{t('prices.clock')}</h2>
      <p className="mb-3 text-small text-fg-2">{t('prices.clock_text')}</p>
      <p className="mb-2 text-small">
        {clock.error_ms === null ? t('prices.clock_disagree') : t('prices.clock_error', { ms: clock.error_ms })}
      </p>
      <ul className="num flex flex-col gap-1 text-small text-fg-2">
        {clock.clocks.map((one) => (
          <li key={one.source}>{boundsText(one)}</li>
        ))}
      </ul>
    </Card>
  )
}

function boundsText({ source, low_ms: low, high_ms: high }: NonNullable<ClockReply>['clocks'][number]): string {
  if (low !== null && high !== null) return t('prices.clock_between', { source, low, high })
  return high === null
    ? t('prices.clock_at_least', { source, low: low ?? 0 })
    : t('prices.clock_at_most', { source, high })
}
