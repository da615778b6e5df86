import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { MAX_TABLE_AGE_DAYS } from '#core/accounts/country-rules.ts'
import { Alert } from '#ui/alert.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { Fact, Facts } from '#back-office/detail/facts.tsx'
import { t } from '#back-office/i18n/t.ts'
import { NotLoaded } from '#back-office/list/load-failure.tsx'
import type { CountriesState } from '#back-office/pages/countries/countries-state.ts'
import { RulesForm } from '#back-office/pages/countries/rules-form.tsx'
import { TryAddress } from '#back-office/pages/countries/try-address.tsx'

/** The rules by country, and where countries of addresses are read from. */
export function CountriesPage() {
  const query = useStaffQuery(staffCalls.staffCountries, {})
  // Counts how often the rules in force have replaced the edited ones. Each count starts a new form.
  const [round, setRound] = useState(0)
  const loadAgain = () => void query.refetch().then(() => setRound((before) => before + 1))
  return (
    <main id="content" className="flex min-w-0 flex-1 flex-col gap-5 px-4 pt-4 pb-8 md:px-6">
      <h1 className="text-title">{t('nav.countries')}</h1>
      <p className="max-w-[72ch] text-fg-2">{t('countries.intro')}</p>
      {query.data ? (
        <div className="grid items-start gap-4 xl:grid-cols-[2fr_1fr]">
          <RulesForm key={round} state={query.data} onSaved={loadAgain} onLoadAgain={loadAgain} />
          <div className="flex min-w-0 flex-col gap-4">
            <Source source={query.data.source} />
            <TryAddress />
          </div>
        </div>
      ) : (
        <NotLoaded query={query} count={6} />
      )}
    </main>
  )
}

function Source({ source: { header, table, age_days: days, is_old: isOld } }: { source: CountriesState['source'] }) {
  return (
    <section aria-labelledby="source" className="card p-5">
      <h2 id="source" className="pb-2 text-heading font-semibold">
        {t('countries.source')}
      </h2>
      <Facts>
        <Fact name={t('countries.header')}>{header ?? t('countries.header_none')}</Fact>
        {table !== 'none' && <Fact name={t('countries.table')}>{t(`countries.table_${table}`)}</Fact>}
        {days !== null && <Fact name={t('countries.age')}>{t('countries.days', { count: days })}</Fact>}
      </Facts>
      {table === 'none' && <Alert tone="warn">{t('countries.table_none')}</Alert>}
      {isOld && <Alert tone="warn">{t('countries.old', { count: MAX_TABLE_AGE_DAYS })}</Alert>}
    </section>
  )
}
