import { useState } from 'react'
import type { FiguresOut } from '#contract/figures.ts'
import { civilDayText } from '#core/markets/calendar/civil-day.ts'
import { instant } from '#core/time/instant.ts'
import { zoneDay } from '#core/time/zone.ts'
import { Alert } from '#ui/alert.tsx'
import { Card } from '#ui/card.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { formatCount } from '#ui/format.ts'
import { Select } from '#ui/select.tsx'
import { Empty } from '#ui/states.tsx'
import { SumRow } from '#ui/sum-row.tsx'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { useAccount } from '#web/session/account.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { clock } from '#web/options/options.ts'
import { lengthText } from '#web/receipts/order-text.ts'
import { type ChosenFigures, figuresQuery, FIGURES_PERIODS } from '#web/screens/figures/figures-period.ts'
import { FiguresTables } from '#web/screens/figures/figures-tables.tsx'
import { NetLine } from '#web/screens/figures/net-line.tsx'
import { RateCard } from '#web/screens/figures/rate-card.tsx'
import { DayFields } from '#web/screens/statement/period-choice.tsx'
import { whenText } from '#web/screens/transaction-history/transaction-text.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { serverNowMs } from '#web/site/settings.ts'

export const FiguresScreen = withData(FiguresPage)

/** Figures of the user's own orders: their net result, and the hit rate at which they would have broken even. */
function FiguresPage() {
  const zone = clock.use() === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone
  const today = zoneDay(zone, instant(Math.round(serverNowMs())))
  const [chosen, setChosen] = useState<ChosenFigures>({
    period: 'days_30',
    from: civilDayText(today - 6),
    to: civilDayText(today),
  })
  const period = figuresQuery(chosen, today, zone)
  const account = useAccount()
  return (
    <Page
      title={t('screen.figures')}
      header={<DeepHeader title={t('screen.figures')} parent="/account" />}
      className="flex flex-col gap-4 pt-1 pb-8"
    >
      <Select
        label={t('statement.period')}
        options={FIGURES_PERIODS.map((value) => ({ value, label: t(`figures.period_${value}`) }))}
        value={chosen.period}
        onChange={(value) =>
          setChosen({ ...chosen, period: FIGURES_PERIODS.find((one) => one === value) ?? 'days_30' })
        }
      />
      {chosen.period === 'range' && (
        <DayFields from={chosen.from} to={chosen.to} onChange={(days) => setChosen({ ...chosen, ...days })} />
      )}
      {account === 'practice' && <Alert tone="info">{t('figures.practice_note')}</Alert>}
      {period !== null && <FiguresOfPeriod period={period} />}
    </Page>
  )
}

function FiguresOfPeriod({ period }: { period: NonNullable<ReturnType<typeof figuresQuery>> }) {
  const account = useAccount()
  const query = useCallQuery('GET /user/figures', { query: { ...period, account } })
  const figures = query.data?.data.figures
  if (figures === undefined) return <LoadingCard query={query} />
  if (figures.orders === 0) {
    return (
      <Card>
        <Empty title={t('common.no_data')}>{t('figures.empty')}</Empty>
      </Card>
    )
  }
  return (
    <>
      <Net figures={figures} />
      <RateCard figures={figures} />
      <NetLine line={figures.line} />
      {account === 'live' && <Payments figures={figures} />}
      <Orders figures={figures} />
      <FiguresTables figures={figures} />
      <p className="text-label text-fg-2">
        {t('figures.as_of', { time: whenText(figures.as_of), number: figures.until_number })}
      </p>
    </>
  )
}

function Net({ figures }: { figures: FiguresOut }) {
  return (
    <Card>
      <p className="text-label text-fg-2">{t('figures.net')}</p>
      <p className="text-title">
        <span dir="ltr" className="num">
          {spoken(ownMoney(moneyOf(figures.net), { plus: true }))}
        </span>
      </p>
      <dl className="mt-2 flex flex-col gap-2">
        <SumRow label={t('figures.staked')}>{spoken(ownMoney(moneyOf(figures.staked)))}</SumRow>
        <SumRow label={t('figures.orders')}>{formatCount(figures.orders)}</SumRow>
      </dl>
    </Card>
  )
}

/** Deposits and withdrawals as two bars with the same scale, and their difference. */
function Payments({ figures: { deposits, withdrawals } }: { figures: FiguresOut }) {
  const highest = Math.max(deposits, withdrawals)
  const bars = [
    { name: t('statement.deposits'), amount: deposits },
    { name: t('statement.withdrawals'), amount: withdrawals },
  ]
  return (
    <Card>
      <h2 className="mb-2 font-semibold">{t('figures.payments')}</h2>
      <div className="flex flex-col gap-2">
        {bars.map(({ name, amount }) => (
          <div key={name}>
            <dl>
              <SumRow label={name}>
                <MoneyText amount={moneyOf(amount)} />
              </SumRow>
            </dl>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-1 h-2 w-full" aria-hidden="true">
              <rect width="100" height="4" fill="var(--surface-3)" />
              <rect width={highest === 0 ? 0 : (amount / highest) * 100} height="4" fill="var(--text-2)" />
            </svg>
          </div>
        ))}
        <dl>
          <SumRow label={t('figures.difference')} divided>
            <MoneyText amount={moneyOf(Number((deposits - withdrawals).toFixed(2)))} plus />
          </SumRow>
        </dl>
      </div>
    </Card>
  )
}

function Orders({ figures }: { figures: FiguresOut }) {
  const amounts = [
    { name: t('figures.average'), amount: figures.average_stake },
    { name: t('figures.median'), amount: figures.median_stake },
    { name: t('figures.best'), amount: figures.best },
    { name: t('figures.worst'), amount: figures.worst },
  ]
  return (
    <Card>
      <dl className="flex flex-col gap-2">
        {amounts.map(({ name, amount }) => (
          <SumRow key={name} label={name}>
            {amount === null ? '–' : spoken(ownMoney(moneyOf(amount)))}
          </SumRow>
        ))}
        <SumRow label={t('figures.session')}>{lengthText(Math.round(figures.longest_session_ms / 60_000) * 60)}</SumRow>
      </dl>
    </Card>
  )
}
