import { Card } from '#ui/card.tsx'
import type { Reply } from '#web/api/call.ts'
import { clockDateTime } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'

/** The certificates that hosts of price sources have shown to this server. */
export function Certificates({ peers }: { peers: Reply<'GET /proof/sources'>['peers'] }) {
  if (peers.length === 0) return null
  return (
    <Card className="mt-4">
      <h2 className="mb-1 text-body font-semibold">{t('prices.certificates')}</h2>
      <p className="mb-3 text-small text-fg-2">{t('prices.certificates_text')}</p>
      <ul className="flex flex-col gap-3 text-small">
        {peers.map(({ host, spki_sha256: fingerprint, issuer, last_at: lastAt }) => (
          <li key={`${host} ${fingerprint}`}>
            <bdi className="font-semibold [overflow-wrap:anywhere]" dir="ltr">
              {host}
            </bdi>
            <span className="block text-fg-2 [overflow-wrap:anywhere]">{t('prices.issued_by', { issuer })}</span>
            <span className="num block text-caption text-fg-2 [overflow-wrap:anywhere]" dir="ltr">
              {fingerprint}
            </span>
            <span className="block text-caption text-fg-2">
              {t('prices.last_seen', { time: clockDateTime(Date.parse(lastAt)) })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
