import { useEffect, useState } from 'react'
import { HOUR_MS, SECOND_MS } from '#core/time/instant.ts'
import { Alert } from '#ui/alert.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { serverNowMs, type Settings, useSettings } from '#web/site/settings.ts'

type Maintenance = NonNullable<Settings['maintenance']>

/** Shows on every screen that trading pauses within an hour, or is paused, with the operator's reason. */
export function MaintenanceStrip() {
  const maintenance = useSettings()?.maintenance
  return maintenance === undefined ? null : <Strip maintenance={maintenance} />
}

function Strip({ maintenance: { from, to, words } }: { maintenance: Maintenance }) {
  // The server renders this strip too, on the home screen. So it may not use the modules of the live connection.
  const [now, setNow] = useState(serverNowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNowMs()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  if (from - now > HOUR_MS || (to !== null && to <= now)) return null
  const times = { from: dayAndTimeText(from), to: to === null ? '' : dayAndTimeText(to) }
  const text =
    to === null
      ? t('shell.maintenance_pause')
      : t(from > now ? 'shell.maintenance_soon' : 'shell.maintenance_runs', times)
  return (
    <div className="px-(--gutter) py-2 md:mx-auto md:w-full md:max-w-[1120px]">
      <Alert tone={from > now ? 'info' : 'warn'}>
        {text}
        <span className="mt-1 block break-words text-fg-2">{words}</span>
      </Alert>
    </div>
  )
}
