import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { useRequestId } from '#back-office/api/use-request-id.ts'
import { Block } from '#back-office/detail/facts.tsx'
import type { DepositDetailData } from '#back-office/pages/deposits/deposit-data.ts'
import { t } from '#back-office/i18n/t.ts'

/** The letters of an ISO time that the field shows: date and time to the minute. */
const MINUTE_LETTERS = 16

/** The form for a payment that staff saw at the bank or network. Only an approval credits it. */
export function RecordArrival({ deposit }: { deposit: DepositDetailData }) {
  const { trx, currency, content_hash: hash } = deposit
  const [amount, setAmount] = useState('')
  const [seenAt, setSeenAt] = useState(() => new Date().toISOString().slice(0, MINUTE_LETTERS))
  const [reference, setReference] = useState('')
  const [reason, setReason] = useState('')
  const requestId = useRequestId()
  const record = useStaffChange(staffCalls.staffRecordArrival, {
    onDone: () => {
      setAmount('')
      setReference('')
      setReason('')
    },
    alsoAreas: ['counts', 'arrivals'],
  })
  const send = () => {
    const content = {
      amount: amount.trim(),
      reference: reference.trim(),
      reason: reason.trim(),
      seen_at: isoOf(seenAt),
    }
    const request = requestId({ ...content, hash })
    record.mutate({ params: { trx }, body: { ...content, content_hash: hash, request_id: request } })
  }
  return (
    <Block title={t('deposits.record')}>
      <div className="flex flex-col gap-3">
        <Field
          label={t('deposits.record_amount', { currency })}
          value={amount}
          inputMode="decimal"
          maxLength={40}
          ltr
          onChange={(event) => setAmount(event.target.value)}
        />
        <Field
          label={t('deposits.record_seen')}
          type="datetime-local"
          value={seenAt}
          ltr
          onChange={(event) => setSeenAt(event.target.value)}
        />
        <Field
          label={t('deposits.record_reference')}
          value={reference}
          maxLength={140}
          ltr
          onChange={(event) => setReference(event.target.value)}
        />
        <Field
          label={t('deposits.record_reason')}
          hint={t('deposits.record_reason_hint')}
          value={reason}
          maxLength={300}
          onChange={(event) => setReason(event.target.value)}
        />
        {record.error !== null && <Alert tone="danger">{failureText(record.error)}</Alert>}
        <Button variant="secondary" size="m" loading={record.isPending} onClick={send}>
          {t('deposits.record_submit')}
        </Button>
      </div>
    </Block>
  )
}

/** The field has the time in UTC without a zone. */
function isoOf(typed: string): string {
  return `${typed.slice(0, MINUTE_LETTERS)}:00.000Z`
}
