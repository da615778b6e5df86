import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { readDeliveryFailure } from '#core/alerts/delivery-failure.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText, type StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { time } from '#back-office/i18n/format.ts'
import { AlertState } from '#back-office/pages/alerts/alert-state.tsx'
import { t } from '#back-office/i18n/t.ts'

type AlertData = StaffReply<typeof staffCalls.staffAlert>

/** One alert: its text and state, and to whom its messages were delivered. */
export function AlertDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useStaffQuery(staffCalls.staffAlert, { params: { id } })
  const { data } = query
  return (
    <DetailPane
      title={data ? t(`staff_alerts.rule_${data.rule}`) : t('nav.alerts')}
      subtitle={data && time(data.opened_at)}
      query={query}
      onClose={onClose}
      footer={data?.closed_at === null ? <AlertActions alert={data} /> : undefined}
    >
      {data && <AlertFacts alert={data} />}
    </DetailPane>
  )
}

function AlertFacts({ alert }: { alert: AlertData }) {
  const { text, severity, deliveries, words } = alert
  return (
    <>
      <p className="pb-5 text-body">{text}</p>
      <Block title={t('staff_alerts.state')}>
        <Facts>
          <Fact name={t('staff_alerts.state')}>
            <AlertState row={alert} />
          </Fact>
          <Fact name={t('staff_alerts.severity')}>{t(`staff_alerts.severity_${severity}`)}</Fact>
          {alert.taken_at !== null && <Fact name={t('staff_alerts.taken')}>{time(alert.taken_at)}</Fact>}
          {alert.closed_at !== null && (
            <>
              <Fact name={t('staff_alerts.closed_at')}>{time(alert.closed_at)}</Fact>
              <Fact name={t('staff_alerts.closed_by')}>{alert.closed_by ?? t('staff_alerts.by_itself')}</Fact>
            </>
          )}
        </Facts>
      </Block>
      {words !== '' && (
        <Block title={t('staff_alerts.words')}>
          <p className="rounded-field bg-surface-2 px-3 py-2 break-words">{words}</p>
        </Block>
      )}
      <Block title={t('staff_alerts.deliveries')}>
        {deliveries.length === 0 && <p className="text-fg-2">{t('staff_alerts.deliveries_none')}</p>}
        <ul>
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      </Block>
    </>
  )
}

function Delivery({
  delivery: { name, host, at, state, tries, failure },
}: {
  delivery: AlertData['deliveries'][number]
}) {
  const why = readDeliveryFailure(failure)
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 border-t border-line py-1.5 text-label">
      <b className="font-semibold">{name}</b>
      <span className="min-w-0 break-words">{host ?? t('staff_alerts.delivery_mail')}</span>
      <span className={state === 'failed' ? 'text-danger' : 'text-fg-2'}>{t(`staff_alerts.delivery_${state}`)}</span>
      {failure !== '' && (
        <span className="text-caption text-fg-3">
          {t(`staff_alerts.failure_${why.name}`, { status: why.status })} {t('staff_alerts.tries', { count: tries })} ·{' '}
          {t('staff_alerts.failure_code', { code: failure })}
        </span>
      )}
      <time dateTime={at} className="num ms-auto text-caption text-fg-3">
        {time(at)}
      </time>
    </li>
  )
}

function AlertActions({ alert: { id, taken_by: takenBy } }: { alert: AlertData }) {
  const toast = useToast()
  const [words, setWords] = useState('')
  const alsoAreas = ['counts', 'dashboard']
  const take = useStaffChange(staffCalls.staffTakeAlert, {
    onDone: () => toast({ tone: 'success', text: t('staff_alerts.done_take') }),
    alsoAreas,
  })
  const close = useStaffChange(staffCalls.staffCloseAlert, {
    onDone: () => toast({ tone: 'success', text: t('staff_alerts.done_close') }),
    alsoAreas,
  })
  const failure = take.error ?? close.error
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
      <p className="text-fg-2">{t(takenBy === null ? 'staff_alerts.take_help' : 'staff_alerts.close_help')}</p>
      <TextArea
        label={t('staff_alerts.words')}
        value={words}
        maxLength={500}
        rows={2}
        onChange={(event) => setWords(event.target.value)}
      />
      <div className="flex gap-2">
        <Button
          variant={takenBy === null ? 'secondary' : 'primary'}
          size="m"
          className="flex-1"
          loading={close.isPending}
          onClick={() => close.mutate({ params: { id }, body: { words } })}
        >
          {t('staff_alerts.close')}
        </Button>
        {takenBy === null && (
          <Button size="m" className="flex-1" loading={take.isPending} onClick={() => take.mutate({ params: { id } })}>
            {t('staff_alerts.take')}
          </Button>
        )}
      </div>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </div>
  )
}
