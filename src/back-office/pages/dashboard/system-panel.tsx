import type { UseQueryResult } from '@tanstack/react-query'
import type { DashboardSummary } from '#contract/back-office/dashboard.ts'
import { Fact, Facts } from '#back-office/detail/facts.tsx'
import { age, time } from '#back-office/i18n/format.ts'
import { Panel } from '#back-office/pages/dashboard/panel.tsx'
import { whole } from '#back-office/pages/dashboard/short-money.ts'
import { t } from '#back-office/i18n/t.ts'

/** When the ledger was checked, and recent errors. */
export function SystemPanel({ query }: { query: UseQueryResult<DashboardSummary> }) {
  return (
    <Panel title={t('dashboard.system')} query={query}>
      {({ ledger, errors }) => (
        <>
          <Facts>
            <Fact name={t('dashboard.checked')}>{ledger.checked_at === null ? '–' : time(ledger.checked_at)}</Fact>
          </Facts>
          <h3 className="pt-3 pb-1 text-caption font-medium text-fg-3">{t('dashboard.errors')}</h3>
          {errors.length === 0 && <p className="text-fg-2">{t('dashboard.errors_none')}</p>}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it */}
          <ul tabIndex={0} className="max-h-48 overflow-auto">
            {errors.map(({ message, count, last_at: lastAt }) => (
              <li key={message} className="flex justify-between gap-4 border-t border-line py-1.5">
                <span className="min-w-0 break-words">{message}</span>
                <span className="num shrink-0 text-fg-3">{`${whole(count)} × · ${age(lastAt)}`}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}
