import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { MarketCard } from '#back-office/pages/hours/market-card.tsx'
import { PlanClosure } from '#back-office/pages/hours/plan-closure.tsx'
import { PlannedClosures } from '#back-office/pages/hours/planned-closures.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { NotLoaded } from '#back-office/list/load-failure.tsx'

const DAYS = { days: 14 }
const REFRESH_MS = 15_000

/** The opening hours of each market: its calendar, closures by hand, and planned closures. */
export function HoursPage() {
  const hours = useStaffQuery(staffCalls.staffMarketHours, { query: DAYS }, { everyMs: REFRESH_MS })
  const mayEdit = useMay('markets.edit')
  return (
    <main id="content" className="flex min-w-0 flex-1 flex-col gap-5 px-4 pt-4 pb-8 md:px-6">
      <h1 className="text-title">{t('nav.hours')}</h1>
      {hours.data ? (
        <>
          <p className="text-fg-2">{t('markets.calendar_note')}</p>
          <div className="grid items-start gap-4 xl:grid-cols-3">
            {hours.data.markets.map((market) => (
              <MarketCard key={market.market_type} market={market} />
            ))}
          </div>
        </>
      ) : (
        <NotLoaded query={hours} count={6} />
      )}
      <div className="grid items-start gap-4 xl:grid-cols-[2fr_1fr]">
        <PlannedClosures />
        {mayEdit && <PlanClosure />}
      </div>
    </main>
  )
}
