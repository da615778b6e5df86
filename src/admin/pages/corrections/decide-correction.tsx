import { useState } from 'react'
import { staffCalls } from '#contract/admin/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#admin/api/call-staff.ts'
import { useStaffChange } from '#admin/api/queries.ts'
import { TextArea } from '#admin/forms/text-area.tsx'
import { money } from '#admin/format.ts'
import type { CorrectionData } from '#admin/pages/corrections/correction-detail.tsx'
import { useStaff } from '#admin/shell/staff.ts'
import { t } from '#admin/t.ts'

/** Approve or reject, by somebody else than who asked. */
export function DecideCorrection({ correction }: { correction: CorrectionData }) {
  const toast = useToast()
  const { name } = useStaff()
  const [words, setWords] = useState('')
  const [wordsNeeded, setWordsNeeded] = useState(false)
  const done = ({ outcome }: { outcome: CorrectionData['state'] }) =>
    toast({ tone: 'success', text: t(outcome === 'posted' ? 'corrections.done_posted' : 'corrections.done_rejected') })
  const approve = useStaffChange(staffCalls.adminApproveCorrection, { onDone: done, alsoAreas: ['users', 'ledger'] })
  const reject = useStaffChange(staffCalls.adminRejectCorrection, { onDone: done })
  const failure = approve.error ?? reject.error
  const isBusy = approve.isPending || reject.isPending
  if (correction.asked_by === name) return <p className="text-fg-2">{t('corrections.yours')}</p>

  const { id, content_hash: hash, amount, cash } = correction
  const isTooMuch = cash + amount < 0
  return (
    <div className="flex flex-col gap-3">
      {failure && <Alert tone="danger">{failureText(failure)}</Alert>}
      {isTooMuch && !failure && <Alert tone="warn">{t('corrections.too_much')}</Alert>}
      <TextArea
        label={t('corrections.words')}
        placeholder={t('corrections.words_hint')}
        value={words}
        maxLength={500}
        rows={2}
        error={wordsNeeded && words.trim() === '' ? t('refusal.reason_needed') : undefined}
        onChange={(event) => setWords(event.target.value)}
      />
      <div className="flex gap-2">
        <Button
          variant="danger"
          size="m"
          loading={reject.isPending}
          disabled={approve.isPending}
          onClick={() => {
            if (words.trim() === '') setWordsNeeded(true)
            else if (!isBusy) reject.mutate({ params: { id }, body: { content_hash: hash, words } })
          }}
        >
          {t('common.reject')}
        </Button>
        <Button
          size="m"
          className="flex-1"
          loading={approve.isPending}
          disabled={reject.isPending || isTooMuch}
          onClick={() => !isBusy && approve.mutate({ params: { id }, body: { content_hash: hash } })}
        >
          {t('corrections.approve', { amount: money(Math.abs(amount)) })}
        </Button>
      </div>
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </div>
  )
}
