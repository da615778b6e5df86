import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { useRequestId } from '#back-office/api/use-request-id.ts'
import { Block } from '#back-office/detail/facts.tsx'
import type { ArrivalData } from '#back-office/pages/arrivals/arrival-data.ts'
import { t } from '#back-office/i18n/t.ts'

const ALSO = ['deposits', 'counts', 'users']

/** Assigns money to a deposit by its reference, or to a user, for whom a deposit is made. */
export function AssignArrival({ arrival: { id, content_hash: hash } }: { arrival: ArrivalData }) {
  const [to, setTo] = useState('')
  const toast = useToast()
  const requestId = useRequestId()
  const assign = useStaffChange(staffCalls.staffAssignArrival, {
    onDone: ({ trx }) => toast({ tone: 'success', text: t('arrivals.done_assigned', { trx }) }),
    alsoAreas: ALSO,
  })
  const send = () => {
    const typed = to.trim()
    const content = /^FW-/i.test(typed) ? { trx: typed.toUpperCase() } : { username: typed }
    assign.mutate({
      params: { id },
      body: { ...content, content_hash: hash, request_id: requestId({ content, hash }) },
    })
  }
  return (
    <Block title={t('arrivals.assign')}>
      <div className="flex flex-col gap-3">
        <Field
          label={t('arrivals.assign_to')}
          hint={t('arrivals.assign_hint')}
          value={to}
          maxLength={100}
          ltr
          onChange={(event) => setTo(event.target.value)}
        />
        {assign.error !== null && <Alert tone="danger">{failureText(assign.error)}</Alert>}
        <Button variant="secondary" size="m" loading={assign.isPending} onClick={send}>
          {t('arrivals.assign')}
        </Button>
      </div>
    </Block>
  )
}

/** Records that money was sent back to where it came from. */
export function SendArrivalBack({ arrival: { id, content_hash: hash } }: { arrival: ArrivalData }) {
  const [reference, setReference] = useState('')
  const [reason, setReason] = useState('')
  const toast = useToast()
  const requestId = useRequestId()
  const sendBack = useStaffChange(staffCalls.staffSendArrivalBack, {
    onDone: ({ outcome }) =>
      toast({ tone: 'success', text: t(outcome === 'sent_back' ? 'arrivals.done_sent_back' : 'deposits.done_first') }),
    alsoAreas: ALSO,
  })
  const send = () => {
    const content = { reference: reference.trim(), reason: reason.trim() }
    sendBack.mutate({
      params: { id },
      body: { ...content, content_hash: hash, request_id: requestId({ content, hash }) },
    })
  }
  return (
    <Block title={t('arrivals.send_back')}>
      <div className="flex flex-col gap-3">
        <Field
          label={t('arrivals.sent_reference')}
          value={reference}
          maxLength={140}
          ltr
          onChange={(event) => setReference(event.target.value)}
        />
        <Field
          label={t('deposits.record_reason')}
          value={reason}
          maxLength={300}
          onChange={(event) => setReason(event.target.value)}
        />
        {sendBack.error !== null && <Alert tone="danger">{failureText(sendBack.error)}</Alert>}
        <Button variant="danger" size="m" loading={sendBack.isPending} onClick={send}>
          {t('arrivals.send_back')}
        </Button>
      </div>
    </Block>
  )
}
