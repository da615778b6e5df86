import { useState } from 'react'
import { staffCalls } from '#contract/admin/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#admin/api/call-staff.ts'
import { useStaffChange } from '#admin/api/queries.ts'
import { TextArea } from '#admin/forms/text-area.tsx'
import { money } from '#admin/format.ts'
import type { DepositDetailData } from '#admin/pages/deposits/deposit-detail.tsx'
import { useStaff } from '#admin/shell/staff.ts'
import { t } from '#admin/t.ts'

/** Approve or reject. No key does either: it takes a press of the button. */
export function DecideDeposit({ deposit }: { deposit: DepositDetailData }) {
  const toast = useToast()
  const { name } = useStaff()
  const [words, setWords] = useState('')
  const [wordsNeeded, setWordsNeeded] = useState(false)
  const done = ({ outcome }: { outcome: 'credited' | 'rejected' | 'first-approval' }) =>
    toast({ tone: 'success', text: t(`deposits.done_${outcome === 'first-approval' ? 'first' : outcome}`) })
  const approve = useStaffChange(staffCalls.adminApproveDeposit, { onDone: done, alsoAreas: ['users', 'ledger'] })
  const reject = useStaffChange(staffCalls.adminRejectDeposit, { onDone: done })
  const isBusy = approve.isPending || reject.isPending
  const failure = approve.error ?? reject.error
  const isFirst = deposit.needs_two && deposit.approved_by === null
  const given = { params: { trx: deposit.trx }, body: { content_hash: deposit.content_hash, words: words.trim() } }
  return (
    <div className="flex flex-col gap-3">
      {failure && <Alert tone="danger">{failureText(failure)}</Alert>}
      <TextArea
        label={t('common.message')}
        placeholder={t('common.message_hint')}
        value={words}
        maxLength={500}
        error={wordsNeeded && words.trim() === '' ? t('refusal.words_needed') : undefined}
        onChange={(event) => setWords(event.target.value)}
      />
      {deposit.approved_by === name ? (
        <p className="text-fg-2">{t('two_people.you_were_first')}</p>
      ) : (
        <div className="flex gap-2">
          <Button
            variant="danger"
            size="m"
            loading={reject.isPending}
            disabled={approve.isPending}
            onClick={() => (words.trim() === '' ? setWordsNeeded(true) : !isBusy && reject.mutate(given))}
          >
            {t('common.reject')}
          </Button>
          <Button
            size="m"
            className="flex-1"
            loading={approve.isPending}
            disabled={reject.isPending}
            onClick={() => !isBusy && approve.mutate(given)}
          >
            {isFirst ? t('two_people.approve_first') : t('common.approve', { amount: money(deposit.credited) })}
          </Button>
        </div>
      )}
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </div>
  )
}
