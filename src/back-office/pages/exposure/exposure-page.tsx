import type { ExposureRow } from '#contract/back-office/exposure.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { readMarketType } from '#core/markets/market.ts'
import { Folded } from '#ui/folded.tsx'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { money, shortTime, time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import { NotLoaded } from '#back-office/list/load-failure.tsx'
import { CapForm } from '#back-office/pages/exposure/cap-form.tsx'
import { useMay } from '#back-office/session/staff.ts'

type State = StaffReply<typeof staffCalls.staffExposure>

const REFRESH_MS = 5_000
const SCOPES = ['site', 'market', 'symbol', 'expiry'] as const

/** Shows the profits that the house would pay if one side won, with the caps. */
export function ExposurePage() {
  const query = useStaffQuery(staffCalls.staffExposure, {}, { everyMs: REFRESH_MS })
  return (
    <main id="content" className="flex min-w-0 flex-1 flex-col gap-5 px-4 pt-4 pb-8 md:px-6">
      <h1 className="text-title">{t('nav.exposure')}</h1>
      <p className="max-w-[72ch] text-fg-2">{t('exposure.intro')}</p>
      {query.data ? (
        SCOPES.map((scope) => <Scope key={scope} scope={scope} state={query.data} />)
      ) : (
        <NotLoaded query={query} count={6} />
      )}
    </main>
  )
}

function Scope({ scope, state: { rows, largest } }: { scope: (typeof SCOPES)[number]; state: State }) {
  const own = rows.filter((row) => row.scope === scope)
  return (
    <section aria-labelledby={scope} className="flex flex-col gap-3">
      <h2 id={scope} className="text-heading font-semibold">
        {t(`exposure.scope_${scope}`)}
      </h2>
      <ul className="grid items-start gap-3 lg:grid-cols-2 xl:grid-cols-3">
        {own.map((row) => (
          <Row key={row.key} row={row} largest={largest} />
        ))}
      </ul>
    </section>
  )
}

function Row({ row, largest }: { row: ExposureRow; largest: State['largest'] }) {
  const mayEdit = useMay('exposure.edit')
  const { most, since, coming, used, bots, minute, refused } = row
  const name = capName(row)
  return (
    <li className="card flex flex-col gap-2 p-4">
      <h3 className="font-semibold">{name}</h3>
      {minute !== null && <p className="text-caption text-fg-3">{t('exposure.minute', { time: shortTime(minute) })}</p>}
      <Side label={t('exposure.buys')} of={name} used={used.buys} most={most} />
      <Side label={t('exposure.sells')} of={name} used={used.sells} most={most} />
      <p className="text-caption text-fg-2">
        {t('exposure.worst', { amount: money(Math.max(used.buys, used.sells)) })}
      </p>
      {bots.buys + bots.sells > 0 && (
        <p className="text-caption text-fg-3">
          {t('exposure.bots', { buys: money(bots.buys), sells: money(bots.sells) })}
        </p>
      )}
      {refused !== null && <p className="text-caption text-fg-2">{t('exposure.refused', { ...refused })}</p>}
      <p className="text-caption text-fg-3">
        {most === null || since === null
          ? t('exposure.no_cap')
          : t('exposure.cap_since', { amount: money(most), time: time(since) })}
      </p>
      {coming !== null && (
        <p className="text-caption text-warn">
          {t(coming.most === null ? 'exposure.coming_none' : 'exposure.coming', {
            amount: money(coming.most ?? 0),
            time: time(coming.applies_at),
          })}
        </p>
      )}
      {mayEdit && (
        <Folded summary={t('exposure.edit', { name })}>
          <CapForm row={row} largest={largest} />
        </Folded>
      )}
    </li>
  )
}

function Side({ label, of, used, most }: { label: string; of: string; used: number; most: number | null }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="flex justify-between gap-2 text-caption">
        <span>{label}</span>
        <span className="num">
          {most === null ? money(used) : t('exposure.used_of', { used: money(used), most: money(most) })}
        </span>
      </p>
      {most !== null && (
        <meter
          className="h-2 w-full"
          aria-label={`${of}: ${label}`}
          min={0}
          max={most}
          low={most * 0.8}
          high={most * 0.99}
          optimum={0}
          value={Math.min(used, most)}
        />
      )}
    </div>
  )
}

function capName({ scope, key }: Pick<ExposureRow, 'scope' | 'key'>): string {
  const market = readMarketType(key)
  return t(`exposure.of_${scope}`, { key: market === null ? key : t(`markets.${market}`) })
}
