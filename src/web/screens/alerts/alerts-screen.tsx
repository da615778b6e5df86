import { useState } from 'react'
import type { AlertOut } from '#contract/alerts.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { SectionLabel } from '#ui/card.tsx'
import { formatRate } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { AlertSheet } from '#web/alerts/alert-sheet.tsx'
import { levelText, ruleText } from '#web/alerts/alert-text.ts'
import { isRunning, reloadAlerts, useAlerts } from '#web/alerts/use-alerts.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { withData } from '#web/api/query.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { useTick } from '#web/live/live-store.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

export const AlertsScreen = withData(Alerts)

/** The price alerts of the user, by symbol. */
function Alerts() {
  const query = useAlerts()
  const [changed, setChanged] = useState<AlertOut | null>(null)
  const [failure, setFailure] = useState('')
  const own = query.data?.data
  const symbols = [...new Set(own?.alerts.map(({ symbol }) => symbol))].toSorted()
  const run = async (work: () => Promise<unknown>) => {
    setFailure('')
    try {
      await work()
    } catch (error) {
      setFailure(failureText(error))
    }
    reloadAlerts()
  }
  return (
    <Page
      title={t('screen.alerts')}
      header={<DeepHeader title={t('screen.alerts')} parent="/account" />}
      className="pt-1 pb-8"
    >
      <p className="mb-3 px-0.5 text-small text-fg-2">
        {t('alerts.intro')} {own && t('alerts.left', { left: own.left })}
      </p>
      {failure !== '' && (
        <Alert tone="danger" className="mb-2">
          {failure}
        </Alert>
      )}
      <ListStates
        query={query}
        isEmpty={own?.alerts.length === 0}
        emptyText={t('alerts.empty')}
        emptyAction={
          <ButtonLink href="/trade" variant="secondary" size="m">
            {t('alerts.open_chart')}
          </ButtonLink>
        }
      >
        {symbols.map((symbol) => (
          <section key={symbol} aria-label={symbol}>
            <SectionLabel>{symbol}</SectionLabel>
            <ul className="flex flex-col gap-2">
              {own?.alerts
                .filter((alert) => alert.symbol === symbol)
                .map((alert) => (
                  <li key={alert.id}>
                    <AlertCard alert={alert} run={run} onChange={() => setChanged(alert)} />
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </ListStates>
      {changed && (
        <AlertSheet
          symbol={changed.symbol}
          decimals={changed.decimals}
          alert={changed}
          onClose={() => setChanged(null)}
        />
      )}
    </Page>
  )
}

interface AlertCardProps {
  alert: AlertOut
  run: (work: () => Promise<unknown>) => Promise<void>
  onChange: () => void
}

function AlertCard({ alert, run, onChange }: AlertCardProps) {
  const { id, version, symbol, state, fired, note, decimals } = alert
  const named = { params: { id }, body: { version } }
  return (
    <article className="card flex flex-col gap-1 px-4 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Link href={`/trade/${symbol}`} className="font-semibold">
          {ruleText(alert)}
        </Link>
        <span className="text-label text-fg-2">{t(`alerts.state_${state}`)}</span>
      </p>
      {note !== '' && (
        <p className="text-small break-words" dir="auto">
          {note}
        </p>
      )}
      {isRunning(alert) && (
        <p className="text-small text-fg-2">
          <ToGo alert={alert} />
          {t('alerts.until', { time: dayAndTimeText(Date.parse(alert.expires_at)) })}
        </p>
      )}
      {fired && (
        <p className="text-small text-fg-2">
          {t('alerts.fired_at', {
            price: levelText(fired.price, decimals),
            time: dayAndTimeText(fired.time_ms),
            tick: fired.q,
          })}
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-2">
        {isRunning(alert) ? (
          <>
            <Button size="s" variant="secondary" onClick={onChange}>
              {t('alerts.change')}
            </Button>
            <Button
              size="s"
              variant="secondary"
              onClick={() => void run(() => call('POST /user/alerts/:id/end', named))}
            >
              {t('alerts.end')}
            </Button>
          </>
        ) : (
          <Button
            size="s"
            variant="secondary"
            onClick={() => void run(() => call('POST /user/alerts/:id/again', named))}
          >
            {t('alerts.again')}
          </Button>
        )}
      </p>
    </article>
  )
}

/** How far the newest price is from the level, where both are known. */
function ToGo({ alert: { symbol, level } }: { alert: AlertOut }) {
  const tick = useTick(symbol)
  if (tick === null || tick.stale || level === null) return null
  const percent = formatRate((Math.abs(level - tick.price) / tick.price) * 100)
  return `${t('alerts.to_go', { percent: `\u2066${percent}\u2069` })} · `
}
