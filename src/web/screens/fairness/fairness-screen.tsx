import { useState } from 'react'
import type { Fairness, FairnessGroup } from '#contract/fairness.ts'
import { Card } from '#ui/card.tsx'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Empty } from '#ui/states.tsx'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { LosingShare } from '#web/screens/fairness/losing-share.tsx'
import { MeasuresSection } from '#web/screens/fairness/measures-section.tsx'
import { OrderOutcomes } from '#web/screens/fairness/order-outcomes.tsx'
import { QueriesShown } from '#web/screens/fairness/queries-shown.tsx'
import { ServiceLevelsSections } from '#web/screens/fairness/service-levels.tsx'
import { SoldOrders } from '#web/screens/fairness/sold-orders.tsx'
import { TimeFigures } from '#web/screens/fairness/time-figures.tsx'
import { VoidOrders } from '#web/screens/fairness/void-orders.tsx'
import { WithdrawalTimes } from '#web/screens/fairness/withdrawal-times.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { ProofLinks } from '#web/shell/proof-links.tsx'

export const FairnessScreen = withData(FairnessPage)

/** Statistics computed from stored orders: how orders ended, who lost, and processing times. Open to everyone. */
function FairnessPage() {
  const query = useCallQuery('GET /proof/fairness', {})
  const figures = query.data?.data.fairness ?? null
  return (
    <Page
      title={t('screen.fairness')}
      header={<DeepHeader title={t('screen.fairness')} crumb={t('page.crumb')} parent="/" />}
      className="pt-1 pb-8"
    >
      <p className="text-small text-fg-2">{t('fairness.intro')}</p>
      <ListStates query={query} isEmpty={figures === null} emptyText={t('fairness.empty')}>
        {figures && <Figures figures={figures} />}
      </ListStates>
      {!query.isPending && (
        <>
          <div>
            <ServiceLevelsSections />
          </div>
          <div className="after-loading">
            <VoidOrders />
          </div>
        </>
      )}
      <ProofLinks from="fairness" />
    </Page>
  )
}

function Figures({ figures }: { figures: Fairness }) {
  const [days, setDays] = useState(30)
  const [who, setWho] = useState<FairnessGroup['who']>('people')
  const shown = figures.windows.find((one) => one.days === days)
  const group = shown?.groups.find((one) => one.who === who)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-label text-fg-2">
          {t('fairness.as_of', { time: dayAndTimeText(Date.parse(figures.computed_at)) })}
        </p>
        <Link
          href="/api/proof/fairness.csv"
          download
          className="inline-flex min-h-11 items-center text-small text-brand underline-offset-4 hover:underline"
        >
          {t('fairness.download')}
        </Link>
      </div>
      <div className="mt-2 grid gap-2 md:grid-cols-2">
        <Segmented
          label={t('fairness.window')}
          options={figures.windows.map((one) => ({ value: one.days, label: t('trade.days', { count: one.days }) }))}
          value={days}
          onChange={setDays}
        />
        <Segmented
          label={t('fairness.who')}
          options={[
            { value: 'people', label: t('fairness.people') },
            { value: 'bots', label: t('fairness.bots') },
          ]}
          value={who}
          onChange={setWho}
        />
      </div>
      {group?.who === 'bots' && group.users === null && (
        <Card className="mt-6">
          <Empty title={t('common.no_data')} />
        </Card>
      )}
      {group && (group.who === 'people' || group.users !== null) && (
        <>
          <LosingShare group={group} minUsers={figures.least_users} />
          <OrderOutcomes
            key={`${days}${who}`}
            group={group}
            expiries={figures.expiries}
            minUsers={figures.least_users}
          />
          <TimeFigures
            title={t('fairness.accept_title')}
            hint={t('fairness.accept_hint')}
            times={group.acceptance}
            minUsers={figures.least_users}
          >
            {group.not_timed !== null && group.not_timed > 0 && (
              <p className="text-label text-fg-2">{t('fairness.not_timed', { count: formatCount(group.not_timed) })}</p>
            )}
          </TimeFigures>
          <TimeFigures
            title={t('fairness.late_title')}
            hint={t('fairness.late_hint')}
            times={group.lateness}
            minUsers={figures.least_users}
          />
        </>
      )}
      {shown && <SoldOrders sales={shown.sales} />}
      {shown && (
        <WithdrawalTimes
          withdrawals={shown.withdrawals}
          pending={figures.pending_withdrawals}
          minUsers={figures.least_users}
        />
      )}
      <MeasuresSection minUsers={figures.least_users} />
      <QueriesShown figures={figures} />
    </>
  )
}
