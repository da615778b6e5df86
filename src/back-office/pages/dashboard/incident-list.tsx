import type { FeedHealth } from '#contract/back-office/dashboard.ts'
import { shortTime } from '#back-office/i18n/format.ts'
import { Scrolled } from '#back-office/plots/scrolled.tsx'
import { t } from '#back-office/i18n/t.ts'
import { Pill } from '#ui/pill.tsx'

type Incident = FeedHealth['incidents'][number]

/** Incidents of price feeds, newest first. */
export function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
  return (
    <>
      <h3 className="pt-3 pb-1 text-caption font-medium text-fg-3">{t('dashboard.incidents')}</h3>
      {incidents.length === 0 ? (
        <p className="text-fg-2">{t('dashboard.incidents_none')}</p>
      ) : (
        <Scrolled label={t('dashboard.incidents')} className="max-h-48">
          <ul>
            {incidents.map((incident) => (
              <IncidentRow key={incident.id} incident={incident} />
            ))}
          </ul>
        </Scrolled>
      )}
    </>
  )
}

function IncidentRow({ incident }: { incident: Incident }) {
  const { kind, symbol, source, at, detail } = incident
  return (
    <li className="border-t border-line py-1.5 text-label">
      <span className="flex flex-wrap items-center gap-x-2">
        <b className="font-semibold">{t(`dashboard.incident_${kind}`)}</b>
        <span className="font-list">{[symbol, source].filter(Boolean).join(' · ')}</span>
        <Lasting incident={incident} />
        <time dateTime={at} className="num ms-auto text-caption text-fg-3">
          {shortTime(at)}
        </time>
      </span>
      <span className="block min-w-0 break-words text-caption text-fg-2">{detail}</span>
    </li>
  )
}

function Lasting({ incident: { lasts, at, ended_at: endAt } }: { incident: Incident }) {
  if (!lasts) return null
  if (endAt === null) return <Pill tone="warn">{t('dashboard.incident_lasts')}</Pill>
  const seconds = (Date.parse(endAt) - Date.parse(at)) / 1_000
  return (
    <span className="text-caption text-fg-3">
      {t('dashboard.incident_ended', { duration: t('dashboard.seconds', { count: seconds.toFixed(1) }) })}
    </span>
  )
}
