import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { saveFile } from '#ui/save-file.ts'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { useRequestId } from '#back-office/api/use-request-id.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { t } from '#back-office/i18n/t.ts'

const ALSO = ['withdrawals', 'counts', 'users', 'ledger']

/** Downloads the payment file, with a reason for the audit log. */
export function DownloadFile({ id }: { id: string }) {
  const [reason, setReason] = useState('')
  const download = useStaffChange(staffCalls.staffDownloadPaymentFile, {
    onDone: ({ name, content }) => saveFile(name, content, 'text/csv;charset=utf-8'),
  })
  return (
    <Block title={t('payment_files.download_title')}>
      <div className="flex flex-col gap-3">
        <Field
          label={t('payment_files.download_reason')}
          value={reason}
          maxLength={300}
          onChange={(event) => setReason(event.target.value)}
        />
        {download.error !== null && <Alert tone="danger">{failureText(download.error)}</Alert>}
        <Button
          variant="secondary"
          size="m"
          icon={<Download size={18} aria-hidden="true" />}
          loading={download.isPending}
          onClick={() => download.mutate({ params: { id }, body: { reason } })}
        >
          {t('payment_files.download')}
        </Button>
      </div>
    </Block>
  )
}

/**
 * Closes the payment file: either all its payments are recorded as paid, or the file is voided because none of them was
 * sent.
 */
export function EndFile({ id }: { id: string }) {
  const toast = useToast()
  const requestId = useRequestId()
  const [reference, setReference] = useState('')
  const [words, setWords] = useState('')
  const [hasChecked, setHasChecked] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const paid = useStaffChange(staffCalls.staffPayPaymentFile, {
    onDone: () => toast({ tone: 'success', text: t('payment_files.done_paid') }),
    alsoAreas: ALSO,
  })
  const voided = useStaffChange(staffCalls.staffUnsendPaymentFile, {
    onDone: () => toast({ tone: 'success', text: t('payment_files.done_void') }),
    alsoAreas: ALSO,
  })
  const isBusy = paid.isPending || voided.isPending
  const failure = paid.error ?? voided.error

  /** Clears the outcome of the last press. */
  function begin(): void {
    paid.reset()
    voided.reset()
    setNote(null)
  }
  function onPaid(): void {
    begin()
    paid.mutate({ params: { id }, body: { reference, request_id: requestId(['paid', reference]) } })
  }
  function onVoid(): void {
    begin()
    if (hasChecked) voided.mutate({ params: { id }, body: { words, request_id: requestId(['void', words]) } })
    else setNote(t('payment_files.check_needed'))
  }

  return (
    <Block title={t('payment_files.end_title')}>
      <div className="flex flex-col gap-3">
        {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
        {note !== null && <Alert tone="danger">{note}</Alert>}
        <Field
          label={t('payment_files.reference')}
          hint={t('payment_files.reference_hint', { example: `${reference.trim() || 'REF'}/1` })}
          value={reference}
          maxLength={200}
          ltr
          onChange={(event) => setReference(event.target.value)}
        />
        <Button size="m" disabled={isBusy} loading={paid.isPending} onClick={onPaid}>
          {t('payment_files.all_paid')}
        </Button>
        <TextArea
          label={t('payment_files.words')}
          value={words}
          maxLength={500}
          onChange={(event) => setWords(event.target.value)}
        />
        <Checkbox checked={hasChecked} onChange={(event) => setHasChecked(event.target.checked)}>
          {t('payment_files.checked_nothing_sent')}
        </Checkbox>
        <Button variant="danger" size="m" disabled={isBusy} loading={voided.isPending} onClick={onVoid}>
          {t('payment_files.nothing_sent')}
        </Button>
      </div>
    </Block>
  )
}
