import { useState } from 'react'
import type { StatementOut } from '#contract/statement.ts'
import { instant } from '#core/time/instant.ts'
import { zoneDay } from '#core/time/zone.ts'
import { Card } from '#ui/card.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { formatMoney } from '#ui/format.ts'
import { SumRow } from '#ui/sum-row.tsx'
import { type Reply } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { clock } from '#web/options/options.ts'
import { PeriodChoice } from '#web/screens/statement/period-choice.tsx'
import { StatementFiles } from '#web/screens/statement/statement-files.tsx'
import { latestMonths, monthPeriod, periodQuery, type StatementQuery } from '#web/screens/statement/statement-period.ts'
import { StatementRows } from '#web/screens/statement/statement-rows.tsx'
import { whenText } from '#web/screens/transaction-history/transaction-text.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { serverNowMs } from '#web/site/settings.ts'

const PER_PAGE = 50

export const StatementScreen = withData(StatementPage)

/** The user's statement of a period, to read, to save and to print. */
function StatementPage() {
  const zone = clock.use() === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone
  const today = zoneDay(zone, instant(Math.round(serverNowMs())))
  const [period, setPeriod] = useState(() => monthPeriod(latestMonths(today)[0] ?? ''))
  const query = periodQuery(period, zone)
  return (
    <Page
      title={t('screen.statement')}
      header={<DeepHeader title={t('screen.statement')} parent="/account" />}
      className="flex flex-col gap-4 pt-1 pb-8"
    >
      <PeriodChoice period={period} today={today} zone={zone} onChange={setPeriod} />
      {query !== null && <StatementOfPeriod key={JSON.stringify(query)} period={query} />}
    </Page>
  )
}

function StatementOfPeriod({ period }: { period: StatementQuery }) {
  const [page, setPage] = useState(1)
  const query = useCallQuery(
    'GET /user/statement',
    { query: { ...period, page, per_page: PER_PAGE } },
    { keepPrevious: true },
  )
  const reply = query.data?.data
  if (reply === undefined) return <LoadingCard query={query} />
  return (
    <>
      <Sums reply={reply} />
      <StatementFiles period={period} rows={reply.statement.rows} />
      <section aria-label={t('statement.rows')}>
        <StatementRows query={query} rows={reply.rows} page={page} onPage={setPage} />
      </section>
    </>
  )
}

const PARTS = [
  ['deposits', 1],
  ['withdrawals', -1],
  ['charges', -1],
  ['won', 1],
  ['lost', -1],
  ['corrections', 1],
] as const

function Sums({ reply }: { reply: Reply<'GET /user/statement'> }) {
  const { statement, credits } = reply
  return (
    <Card>
      <dl className="flex flex-col gap-2">
        <SumRow label={t('statement.opening')}>
          <MoneyText amount={moneyOf(statement.opening)} />
        </SumRow>
        {partsOf(statement).map(({ name, amount }) => (
          <SumRow key={name} label={t(`statement.${name}`)}>
            <MoneyText amount={moneyOf(amount)} plus />
          </SumRow>
        ))}
        <SumRow label={t('statement.closing')} strong divided>
          <MoneyText amount={moneyOf(statement.closing)} />
        </SumRow>
      </dl>
      <p className="mt-3 text-label text-fg-2">{t('statement.total_hint', { time: whenText(statement.made_at) })}</p>
      {(credits.total !== 0 || credits.received !== 0) && (
        <p className="mt-2 text-label text-fg-2">
          {t('statement.credits', {
            received: formatMoney(moneyOf(credits.received), { symbol: '' }),
            total: formatMoney(moneyOf(credits.total), { symbol: '' }),
          })}
        </p>
      )}
    </Card>
  )
}

function partsOf(statement: StatementOut) {
  return PARTS.map(([name, sign]) => ({ name, amount: sign * statement[name] }))
}
